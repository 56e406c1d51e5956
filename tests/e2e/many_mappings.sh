#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A user's processes map as many files with paths as long as they like: who is beside them keeps its
# names, the bound of memory holds, and it is said whose names are missing.
. "$(dirname "$0")/lib.sh"

bound=$((32 << 20))
[ "$(id -u)" -eq 0 ] || skip "needs root, to be another user as well"
mkdir -m 777 "$tmp/crowd" "$tmp/hogs" "$tmp/plain"

# as_user WORKLOAD ARGUMENTS...: as start, but as a user who may do nothing.
as_user() {
	output=$tmp/workload${#started[@]}
	setpriv --reuid=65534 --regid=65534 --clear-groups "$workloads/$1" "${@:2}" >"$output" 2>&1 &
	pid=$!
	started+=("$pid")
	wait_ready "$pid" "$output"
}

run() {
	top_start "$@"
	top_wait_peak
}

start shares 100
run --json -a -d 3 --symbol-memory "$bound"
calm=$peak
as_user many_mappings "$tmp/crowd" 100 100 3800
as_user many_mappings "$tmp/hogs" 4 10000 3800
run --json -a -d 3 --symbol-memory "$bound"
expect_err "mappings of process [0-9]+ take too much memory: .*raise --symbol-memory"
check "$calm" "$peak" "$bound" <<'PYTHON'
calm, busy, bound = map(int, args)
waiting = 32 << 20  # what was drained and is not named yet: records of mappings, with their paths
expect_at_most("bytes more than without them", busy - calm, bound * 11 // 10 + waiting)
expect_at_most("bytes of symbols", run.intervals[-1]["cost"]["symbols_bytes"], bound)
ours = [s for s in run.samples if s.comm == "shares"]
expect_at_least("samples of whom it is not about", sum(s.count for s in ours), 5)
expect_eq("frames of it without a name", [f for s in ours for f in s.user if not f["function"]], [])
PYTHON

# As many mappings as a process may have are fine, if their names are few.
as_user many_mappings "$tmp/plain" 1 60000 0
json -p "$pid" -d 2
expect_silent
check <<'PYTHON'
work = [f for s in run.samples for f in s.user if f["function"] == "many_work"]
expect_at_least("frames of a process with 60,000 mappings", len(work), 1)
PYTHON
pass
