#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# When the maps cannot be read any more in the middle of a run, what was read before is kept: in the
# file of a recording, as the last interval of JSON.
. "$(dirname "$0")/lib.sh"

command -v strace >/dev/null || skip 'no strace'

# failing WORDS...: three seconds after sampling has begun no map can be read any more.
failing() {
	top_start "$@"
	wait_sampling
	sleep 3
	strace -f -qq -o /dev/null -e trace=bpf -e inject=bpf:error=ENFILE -p "$top_pid" &
	started+=("$!")
	top_wait
	expect_status 3
	expect_err 'too many open files in system'
}

start stacks 8 120

failing record -p "$pid" -F 999 --unwind fp -d 50 -o "$tmp/kept.pb.gz"
"$topstacks" report --format folded "$tmp/kept.pb.gz" >"$out" 2>"$err"
kept=$(awk '{ kept += $NF } END { print kept }' "$out")
[ "$kept" -gt 50 ] || fail "$kept samples were kept"

failing --json -p "$pid" -F 999 --unwind fp -i 50 -d 50
check <<'PYTHON'
expect_eq("intervals", len(run.intervals), 1)
expect_at_least("samples", run.counted, run.enough(50))
expect_at_most("duration, s", run.duration, 45)
PYTHON
pass
