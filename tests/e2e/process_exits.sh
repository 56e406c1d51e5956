#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A target that ends while we watch: we say so, report what was gathered, and exit with success.
. "$(dirname "$0")/lib.sh"

start shares 3
json -p "$pid" -F 999 -i 20 -d 30
expect_err 'exited|ended|gone'
check <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(100))
expect_at_most("duration, s", run.duration, 25)
PYTHON

start shares 3
top -p "$pid" -F 999 -i 0.3
expect_status 0
expect_err 'exited|ended|gone'
grep -q share_40 "$out" || fail 'no function in the report'

# While one of two is left, the run goes on.
start shares 20
first=$pid
start shares 20
top_start --json -p "$first,$pid" -F 499 -i 1
wait_intervals 1
stop "$first"
wait_intervals 2 # the one in which it ended, and one more
top_end
check "$pid" <<'PYTHON'
expect_eq("pids in the end", {sample["pid"] for sample in run.intervals[2]["samples"]}, {int(args[0])})
expect_eq("processes", len(run.pids), 2)
PYTHON
pass
