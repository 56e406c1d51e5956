#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Intervals of 50 ms: as many as there should be, each balanced. With --once there is one, as long as the run.
. "$(dirname "$0")/lib.sh"

start shares 20
json -p "$pid" -F 999 -i 0.05 -d 2
check <<'PYTHON'
expect_near("duration, s", run.duration, 2, 0.2)
expect_at_least("intervals", len(run.intervals), 30)
expect_at_most("intervals", len(run.intervals), 41)
expect_coverage(run, tasks=1)
expect_due(run)
PYTHON
json -p "$pid" -F 999 -i 0.05 -d 1 --once
check <<'PYTHON'
expect_eq("intervals", len(run.intervals), 1)
expect_at_least("duration, s", run.duration, 1)
PYTHON
pass
