#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -C samples the CPUs named and no other.
. "$(dirname "$0")/lib.sh"

[ "$(nproc)" -gt 1 ] || skip 'one CPU only'
start shares 30
first=$pid
start shares 30
taskset -p 1 "$first" >/dev/null
taskset -p 2 "$pid" >/dev/null
for cpu in 0 1; do
	json -p "$first,$pid" -C "$cpu" -F 999 -i 1 -d 1
	check "$([ "$cpu" = 0 ] && echo "$first" || echo "$pid")" <<'PYTHON'
expect_at_least("samples", run.counted, 1)
expect_eq("pids", run.pids, {int(args[0])})
expect_eq("CPUs", run.intervals[0]["cpus"], 1)
PYTHON
done
pass
