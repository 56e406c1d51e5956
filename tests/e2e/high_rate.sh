#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# 20,000 samples a second on every CPU: delivered, counted, balanced, no sample lost.
. "$(dirname "$0")/lib.sh"

start stacks 8 30
start shares 30
json -a -F 19999 -i 0.5 -d 2
check <<'PYTHON'
expect_eq("lost", run.lost, 0)
expect_eq("missing stacks", run.missing, 0)
due = sum(interval["ledger"]["due"] for interval in run.intervals)
expect_near("periods due", due, run.duration * 19999 * run.intervals[0]["cpus"], 0.02 * due)
expect_at_least("samples", run.counted, run.enough(5000))
expect_coverage(run, system=True)
PYTHON
pass
