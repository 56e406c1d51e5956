#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --max-overhead lowers a rate that costs too much, says so, and loses nothing when it does.
. "$(dirname "$0")/lib.sh"

start stacks 10 40
json -p "$pid" -F 9999 -i 1 -d 9.5 --max-overhead 0.3
expect_err 'sampling at [0-9.]+ Hz from here on, to stay within --max-overhead 0.3'
check <<'PYTHON'
# No rate is lowered in the first 4 s, and in 9 s it surely is.
expect_near("delivered at first, Hz", run.intervals[1]["delivered_hz"], 9999, 500)
expect_at_most("delivered at last, Hz", run.intervals[-1]["delivered_hz"], 6000)
expect_eq("lost", run.lost, 0)
# Two or three times the events were opened anew: a period or so each.
expect_coverage(run)
PYTHON

# Nothing to lower.
json -p "$pid" -i 1 -d 6 --max-overhead 50
expect_silent
pass
