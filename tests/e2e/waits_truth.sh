#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions that wait and measure it themselves: each has its time off the CPU, as often as it gave it up, under
# the name of what it waits for. Along frame pointers, and with tables where there are none.
. "$(dirname "$0")/lib.sh"

mkdir "$tmp/files"

truth_of() {
	start "$1" 2000 "$tmp/files"
	from_rest_to_rest "$pid" -e off-cpu -i 0.7 --save "$tmp/saved" "${@:2}"
	stop "$pid"
	"$topstacks" report --format json "$tmp/saved" >"$tmp/stacks"
	check "$pid" "$output" "$tmp/stacks" <<'PYTHON'
import collections

saved = saved_samples(args[2])
expect_known(run)
for name, truth in truths(args[1]).items():
    samples = [sample for sample in saved if sample.pid == int(args[0]) and sample.has(name)]
    ns = sum(sample.ns for sample in samples)
    expect_at_most(f"ns off the CPU in {name}", ns, truth["most_ns"])
    allowed = 0.01 * truth["least_ns"] + 20e3 * truth["waits"] + run.unknown_ns
    expect_at_least(f"ns off the CPU in {name}", ns, truth["least_ns"] - allowed)

    blocked = [sample for sample in samples if sample.is_blocked]
    ended = sum(sample.count for sample in blocked)
    expect_at_least(f"waits in {name}", ended, truth["switches"] - unseen(run, truth["switches"]))
    expect_at_most(f"waits in {name}", ended, truth["switches"] + 2) # its code may have to be read first
    # Now and then another thread of it changes what is mapped.
    kinds = collections.Counter()
    for sample in blocked:
        kinds[sample.wait] += sample.ns
    expect_at_least(f"share of {truth['kind']} in {name}, {kinds}", kinds[truth["kind"]] / kinds.total(), 0.98)

    # From the function to where threads begin.
    for sample in blocked:
        expect("run_waiter" in sample.functions, f"{name} has no caller: {sample.functions}")
PYTHON
}

truth_of waits --unwind fp
truth_of waits_frameless
pass
