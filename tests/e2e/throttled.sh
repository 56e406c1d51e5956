#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's limit of samples falls below the rate in the middle of a run: what it throttles is
# lost for that reason and everything balances; when the limit is back, so are the samples.
. "$(dirname "$0")/lib.sh"

limit=/proc/sys/kernel/perf_event_max_sample_rate
before=$(cat "$limit")
trap 'echo "$before" >"$limit"; finish' EXIT

start shares 30
top_start --json -p "$pid" -F 1999 -i 0.2
wait_for test -s "$out"
echo 500 >"$limit" 2>/dev/null || skip "$limit cannot be written"
sleep 1
echo "$before" >"$limit"
wait_intervals 5 # the first may have waited to be printed, the second have begun before
top_end
check <<'PYTHON'
throttled = [interval["ledger"]["lost_by"]["throttled"] for interval in run.intervals]
cpus = run.intervals[0]["cpus"]
# Of 1,999 a second and CPU, 500 are let through for a second, and the last tick's may be more. An
# idle CPU takes no samples and is not throttled: one CPU surely is.
expect_at_least("throttled", sum(throttled), 0.5 * 1499)
expect_at_most("throttled", sum(throttled), 1.5 * 1999 * cpus)
expect_eq("throttled at the end", throttled[-1] + throttled[-2], 0)
expect_eq("lost for other reasons", run.lost - sum(throttled), 0)
delivered = [interval["delivered_hz"] for interval in run.intervals]
tolerance = 1999 * (0.02 + READING_S / run.intervals[-2]["duration_s"])
expect_at_most("delivered while throttled, Hz", min(delivered), 1999 - 0.5 * 1499 / cpus)
expect_near("delivered at the end, Hz", delivered[-2], 1999, tolerance)
PYTHON

# A rate that would be throttled from the start is refused, with what to do.
echo 500 >"$limit"
top -p "$pid" -F 1999 -d 1
echo "$before" >"$limit"
expect_status 2
expect_err 'sysctl kernel.perf_event_max_sample_rate='
pass
