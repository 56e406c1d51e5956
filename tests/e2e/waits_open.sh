#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Waits without an end, which began before anybody looked: they have all of each interval, from the first one on,
# with the whole stack.
. "$(dirname "$0")/lib.sh"

start blocked 3 30
wait_for all_sleep "$pid"
for how in fp auto; do
	json -p "$pid" -e off-cpu -i 0.2 -d 1 --unwind "$how"
	check "$how" <<'PYTHON'
THREADS, NUMBER, DEPTH = 10, 3, 30 # main is one
expect_eq("threads that slept before", run.asleep, THREADS)
expect_eq("of them, walked", run.asleep_walked, THREADS)
expect_eq("unknown, ns", run.unknown_ns, 0)
expect_eq("waits that ended", run.counted, 0)
expect_eq("blocked, ns", run.blocked_ns, run.wall_ns)
expect_at_least("intervals", len(run.intervals), 3)
for number, interval in enumerate(run.intervals):
    length_ns = interval["ledger"]["wall_ns"] / THREADS
    allowed_s = 0.05 * interval["duration_s"] + READING_S
    expect_near(f"length of interval {number}, s", length_ns / 1e9, interval["duration_s"], allowed_s)
    for function, kind in (("block_in_pause", None), ("block_in_futex", "lock"), ("block_in_read", "pipe")):
        samples = [sample for sample in map(Sample, interval["samples"]) if sample.has(function)]
        ns = sum(sample.ns for sample in samples)
        expect_near(f"ns of {function} in interval {number}", ns, NUMBER * length_ns, 1000 * NUMBER)
        for sample in samples:
            expect_eq("states", list(sample.states), ["interruptible"])
            expect(kind in (None, sample.wait), f"{function} waits for {sample.wait}")
            user = [frame["function"] for frame in sample.user]
            expect_eq("stack", user[:DEPTH + 2], [function] + ["descend"] * DEPTH + ["run_blocking"])
            expect(sample.kernel, "the kernel's part")
PYTHON
done
pass
