#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A process that never runs: no samples, no error.
. "$(dirname "$0")/lib.sh"

start sleeper 20
json -p "$pid" -i 0.5 -d 1
check <<'PYTHON'
expect_eq("samples", run.counted, 0)
expect_at_least("intervals", len(run.intervals), 2)
PYTHON
top -p "$pid" -i 0.5 -d 1
expect_status 0
pass
