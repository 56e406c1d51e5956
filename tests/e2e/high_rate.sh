#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# 20,000 samples a second are asked for on every CPU, where two programs compute: what is delivered is counted, balanced,
# and not lost. How many the machine delivers in time is not ours, but what lacks is told as late.
. "$(dirname "$0")/lib.sh"

start stacks 8 30
first=$pid
start shares 30
json -p "$first,$pid" -F 19999 -i 0.5 -d 2
check <<'PYTHON'
expect_eq("lost", run.lost, 0)
expect_eq("missing stacks", run.missing, 0)
expect_due(run)
expect_at_least("samples", run.counted, run.enough(5000))
expect_coverage(run, all_busy=True)
PYTHON
pass
