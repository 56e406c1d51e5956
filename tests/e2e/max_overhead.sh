#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --max-overhead lowers a rate that costs too much, says so, and loses nothing when it does.
. "$(dirname "$0")/lib.sh"

start stacks 10 40
json -p "$pid" -F 9999 -i 1 -d 9.5 --max-overhead 0.3
expect_err 'sampling at [0-9.]+ Hz from here on, to stay within --max-overhead 0.3'
check <<'PYTHON'
first, last = run.intervals[0], run.intervals[-1]
def used(interval):
    return sum(interval["cost"][part] for part in ("user_s", "system_s", "program_s")) / interval["duration_s"]
expect_near("delivered at first, Hz", first["delivered_hz"], 9999, 500)
expect_at_most("delivered at last, Hz", last["delivered_hz"], 6000)
expect_at_most("share of a CPU at last", used(last), 0.7 * used(first))
expect_eq("lost", run.lost, 0)
# Two or three times the events were opened anew: a period or so each.
expect_coverage(run)
PYTHON

# Nothing to lower.
json -p "$pid" -i 1 -d 6 --max-overhead 50
expect_silent
pass
