#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An interval of a minute, much longer than the maps are left to fill, is the sum of its drains. For
# a burst of ever new stacks at its beginning the maps may grow; when half a minute has passed in
# which nothing filled them, they are as small as those of a run that has just begun.
. "$(dirname "$0")/lib.sh"

sleep 90 & # to the end there is a target
started+=("$!")
pids=$!
json -p "$pids" -F 4999 -i 0.2 --once
begun=$(grep -oE '"kernel_bytes":[0-9]+' "$out" | cut -d: -f2)

for _ in 1 2; do
	start stacks 17 10
	renice -n -10 -p "$pid" >/dev/null
	pids+=,$pid
done
timeout --signal=KILL 90 "$topstacks" --json -p "$pids" -F 4999 -i 61 --once >"$out" 2>"$err"
check "$begun" <<'PYTHON'
expect_eq("intervals", len(run.intervals), 1)
interval = run.intervals[0]
expect_near("duration, s", run.duration, 61, 1)
expect_at_least("drains", interval["ledger"]["drains"], 55)
expect_eq("lost", run.lost, 0)
expect_eq("missing stacks", run.missing, 0)
expect_coverage(run)
# The unwind tables of the workload came on top.
expect_at_most("kernel memory of the maps", interval["cost"]["kernel_bytes"], int(args[0]) + (4 << 20))
PYTHON
pass
