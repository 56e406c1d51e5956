#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions of Python have the share of samples that a sampler in the same process gives them, and that their own
# clocks measure.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

shares() {
	# shellcheck disable=SC2016 # for another shell
	json -F 1997 -i 60 -- sh -c 'truth=$1 && shift && exec "$@" >"$truth"' sh "$tmp/truth" \
		"${python[@]}" "$scripts/shares.py" 4
	check "$tmp/truth" "${#pythons[@]}" <<'PYTHON'
truth, nr_pythons = truths(args[0]), int(args[1])
sampled = run.with_function("draw")
expect_at_least("samples", sampled, 3000)
expect_at_least("samples of its own", truth["samples"], 500)

# One error in a hundred runs of this test, in all functions and with all Pythons together.
names = [*truth["functions_ns"], "key_of", "produce"]
z = statistics.NormalDist().inv_cdf(1 - 0.01 / 2 / len(names) / nr_pythons)
for name in names:
    ours = run.count(lambda s: s.has(name) and s.has("draw"))
    theirs = truth["counts"].get(name, 0)
    both = (ours + theirs) / (sampled + truth["samples"])
    deviation = math.sqrt(both * (1 - both) * (1 / sampled + 1 / truth["samples"]))
    expect_near(f"share of {name}", ours / sampled, theirs / truth["samples"], z * deviation)
counts = {name: run.count(lambda s: s.has(name) and s.has("draw")) for name in truth["functions_ns"]}
expect_shares(counts, truth["functions_ns"])
PYTHON
}
some_pythons shares
pass
