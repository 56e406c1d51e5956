#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A wait that lasts for many intervals keeps the names of Python's functions, though the kernel's memory of them is
# emptied at each; one that began before anybody looked has them from the first on.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

blocked() {
	start_python blocked.py 100
	top_start --json --threads -e off-cpu -p "$pid" -i 0.2
	wait_intervals 2
	kill -USR1 "$pid"
	wait_for grep -q after "$output"
	wait_intervals 12
	top_end
	stop "$pid"
	check "$output" <<'PYTHON'
truth = truths(args[0])
# Unwind tables may come after the first look at who sleeps; and the last interval is cut short.
for name, least in (("before", 12), ("after", 10)):
    tid, chain = truth[name]["tid"], truth[name]["chain"]
    reading = [
        [sample for sample in map(Sample, interval["samples"]) if sample.tid == tid and sample.wait == "pipe" and sample.count == 0]
        for interval in run.intervals
    ]
    first = next(number for number, samples in enumerate(reading) if samples)
    expect_at_least(f"intervals in which {name} waits", len(reading) - first, least)
    for number, samples in enumerate(reading[first:-1], start=first):
        expect_eq(f"stacks of {name} in interval {number}", len(samples), 1)
        expect_eq(f"chain of {name} in interval {number}", samples[0].chain, chain)
PYTHON
}
some_pythons blocked
pass
