#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# 20,000 samples a second on every CPU: delivered, counted, balanced, no sample lost. The stacks that
# are kept are those of two programs: how many others have is not ours to bound.
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
expect_coverage(run)
PYTHON
pass
