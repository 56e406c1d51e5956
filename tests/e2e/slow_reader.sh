#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A reader that stops for 3 s holds up the output, not the sampling: intervals are merged, their sum
# is whole, nothing is lost.
. "$(dirname "$0")/lib.sh"

start stacks 11 30
{
	status=0
	timeout --signal=KILL 30 "$topstacks" --json -p "$pid" -F 4999 -i 0.1 -d 5 2>"$err" || status=$?
	echo "$status" >"$tmp/status"
} | {
	sleep 3 # the slow reader
	cat
} >"$out"
status=$(cat "$tmp/status")
expect_status 0
check <<'PYTHON'
expect_eq("lost", run.lost, 0)
expect_eq("missing stacks", run.missing, 0)
expect_near("duration, s", run.duration, 5, 0.5)
durations = [interval["duration_s"] for interval in run.intervals]
expect_at_least("longest interval, s", max(durations), 1)
expect_at_least("intervals", len(durations), 10)

# No time between intervals is unaccounted for: every CPU's events are there.
from datetime import datetime
def at(interval):
    return datetime.fromisoformat(interval["time"].replace("Z", "+00:00")).timestamp()
span = at(run.intervals[-1]) - at(run.intervals[0]) + durations[0]
expect_near("sum of durations, s", run.duration, span, 0.05)
expect_coverage(run)
PYTHON
pass
