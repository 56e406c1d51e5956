#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Processes that live for a millisecond, more of them at a time than there are CPUs, so that they are moved between these
# while they wait for one: what they ran and waited for a CPU is what the scheduler has, in sum.
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2016 # for another shell
json -e off-cpu -i 0.5 -- sh -c 'for i in 1 2 3 4 5; do
	(for j in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do /bin/true; done) &
done; wait'
check <<'PYTHON'
tolerance_ns = lambda ns: scheduler_tolerance_ns(ns, run.switches) + run.unknown_ns
expect_at_least("switches", run.switches, 200)
expect_credited(run)
# What a thread waited after it was woken is the scheduler's to the nanosecond; only where it was preempted does the wait begin
# and end with switches at which the two clocks differ otherwise. No interval has less than nothing.
expect_near("runnable, ns", run.runnable_ns, run.delayed_ns, tolerance_ns(run.delayed_ns))
for interval in run.intervals:
    for key in ("scheduled_ns", "delayed_ns"):
        expect_at_most(key + " of an interval", interval["ledger"][key], 2**63)
PYTHON
pass
