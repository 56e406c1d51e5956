#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# topstacks is stopped for a while, as by a busy machine: the kernel goes on counting, and nothing is
# missing when it continues.
. "$(dirname "$0")/lib.sh"

start stacks 8 30
top_start --json -p "$pid" -F 999 -i 0.2 -d 4
wait_for test -s "$out"
kill -STOP "$top_pid"
sleep 2
kill -CONT "$top_pid"
top_wait
expect_status 0
check <<'PYTHON'
expect_eq("lost", run.lost, 0)
expect_eq("missing stacks", run.missing, 0)
expect_near("duration, s", run.duration, 4, 0.5)
expect_at_least("longest interval, s", max(i["duration_s"] for i in run.intervals), 1.9)
expect_due(run)
expect_coverage(run, tasks=1)
PYTHON
pass
