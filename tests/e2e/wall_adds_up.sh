#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# `-e wall` has all of the time of threads: in each interval the weights of its samples add up to as many times its
# length as there are threads, to the nanosecond, and so do those of who runs to the running time. Some compute, some
# wait, and most switch all the time.
. "$(dirname "$0")/lib.sh"

start mixed 1500 2
from_rest_to_rest "$pid" -e wall -i 0.3
check "$output" <<'PYTHON'
import collections

STATES = {*BLOCKED, "running", "preempted", "woken"}
threads = truths(args[0])["threads"]
expect_at_least("intervals", len(run.intervals), 2)
expect_known(run)
for number, interval in enumerate(run.intervals):
    ledger, samples = interval["ledger"], [Sample(one) for one in interval["samples"]]
    states = collections.Counter()
    for sample in samples:
        states.update(sample.states)
    expect(states.keys() <= STATES, f"states in interval {number}: {states}")
    expect_eq(f"weights in interval {number}, ns", states.total(), ledger["wall_ns"] - ledger["unplaced_ns"] - ledger["unknown_ns"])
    expect_eq(f"weights of who runs in interval {number}, ns", states["running"], ledger["running_ns"])
    expect_eq(f"total of interval {number}, ns", interval["values"]["weight"]["total"], states.total())
    expect_eq(f"threads have the same time in interval {number}, ns", ledger["wall_ns"] % threads, 0)
    expect_near(f"wall of interval {number}, s", ledger["wall_ns"] / 1e9, threads * interval["duration_s"], threads * READING_S)
expect_near("wall, s", run.wall_ns / 1e9, threads * run.duration, threads * READING_S)
PYTHON
pass
