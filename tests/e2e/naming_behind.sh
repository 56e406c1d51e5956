#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The thread that names samples is held back over the end of an interval and over that of the run: both end
# as planned, the time between is an interval of its own, and nothing is missing.
. "$(dirname "$0")/lib.sh"

start stacks 8 60
top_start --json -p "$pid" -F 999 -i 2 -d 5
wait_sampling
# For longer than the run is to last.
hold_thread "$top_pid" 8 >"$tmp/holder" &
holder=$!
started+=("$holder")
wait_ready "$holder" "$tmp/holder"
wait "$holder" || fail 'the thread was not held'
top_wait
expect_status 0
check <<'PYTHON'
expect_near("duration, s", run.duration, 5, 0.5)
expect_near("first interval, s", run.intervals[0]["duration_s"], 2, 0.5)
expect_at_least("longest interval, s", max(i["duration_s"] for i in run.intervals), 1.5)
expect_at_most("intervals", len(run.intervals), 3)
expect_at_least("intervals", len(run.intervals), 2)
expect_eq("lost", run.lost, 0)
expect_eq("missing stacks", run.missing, 0)
expect_due(run)
expect_coverage(run, tasks=1)
PYTHON
pass
