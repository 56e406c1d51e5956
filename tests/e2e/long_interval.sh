#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An interval much longer than the maps are left to fill: it is the sum of its drains.
. "$(dirname "$0")/lib.sh"

start stacks 11 30
json -p "$pid" -F 999 -i 10 --once
check <<'PYTHON'
expect_eq("intervals", len(run.intervals), 1)
expect_near("duration, s", run.duration, 10, 0.2)
expect_at_least("drains", run.intervals[0]["ledger"]["drains"], 9)
expect_eq("lost", run.lost, 0)
expect_eq("missing stacks", run.missing, 0)
expect_near("CPU time sampled, s", run.sampled_s, run.ran_s, 0.03 * run.ran_s + 0.05)
PYTHON
pass
