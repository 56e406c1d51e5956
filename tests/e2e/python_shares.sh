#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions of Python have the share of samples that a sampler in the same process gives them, and that their own
# clocks measure. With ALL set each side has 5,000 samples at least: the process's own sampler has 250 a second.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

seconds=4 least=500
[ -z "${ALL-}" ] || seconds=24 least=5000

shares() {
	# shellcheck disable=SC2016 # for another shell
	json -F 1997 -i 60 -- sh -c 'truth=$1 && shift && exec "$@" >"$truth"' sh "$tmp/truth" \
		"${python[@]}" "$scripts/shares.py" "$seconds"
	check "$tmp/truth" "${#pythons[@]}" "$least" <<'PYTHON'
truth, nr_pythons, least = truths(args[0]), int(args[1]), int(args[2])
sampled = run.with_function("draw")
expect_at_least("samples", sampled, 6 * least)
expect_at_least("samples of its own", truth["samples"], least)

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
