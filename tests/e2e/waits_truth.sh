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
	report_state "$tmp/saved" blocked
	check "$pid" "$output" "$tmp/saved.blocked" <<'PYTHON'
saved = saved_samples(args[2])
for name, truth in truths(args[1]).items():
    samples = [sample for sample in run.samples if sample.pid == int(args[0]) and sample.has(name)]
    ns = sum(sample.ns for sample in samples)
    expect_at_most(f"ns off the CPU in {name}", ns, truth["most_ns"])
    expect_at_least(f"ns off the CPU in {name}", ns, 0.99 * truth["least_ns"] - 20e3 * truth["waits"])

    blocked = [sample for sample in saved if sample.pid == int(args[0]) and sample.has(name)]
    ended = sum(sample.count for sample in blocked)
    expect_at_least(f"waits in {name}", ended, truth["switches"])
    expect_at_most(f"waits in {name}", ended, truth["switches"] + 2) # its code may have to be read first
    for sample in blocked:
        expect_eq(f"what is waited for in {name}", sample.wait, truth["kind"])

    # From the function to where threads begin.
    for sample in samples:
        expect("run_waiter" in sample.functions, f"{name} has no caller: {sample.functions}")
PYTHON
}

truth_of waits --unwind fp
truth_of waits_frameless
pass
