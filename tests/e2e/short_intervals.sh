#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Intervals of 50 ms: as many as there should be, each balanced.
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
pass
