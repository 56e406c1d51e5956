#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Ctrl-C reaches the command; we wait for its end and then report.
. "$(dirname "$0")/lib.sh"

# interrupt COMMAND...: as a terminal does, to the whole process group. Sets status.
interrupt() {
	rm -f "$out"
	set -m # a group of its own, with SIGINT as it is from a terminal
	"$topstacks" --json -F 999 -i 0.2 -- "$@" >"$out" 2>"$err" </dev/null &
	local job=$!
	set +m
	started+=("$job")
	wait_samples 50
	kill -INT -- "-$job"
	status=0
	wait "$job" || status=$?
}

interrupt sh -c 'exec "$1" 20 >"$2"' sh "$workloads/shares" "$tmp/truth"
expect_status 0
check "$tmp/truth" <<'PYTHON'
expect_at_least("intervals", len(run.intervals), 2)
expect_at_least("samples", run.counted, 50)
expect_at_least("CPU time that the command reports", truths(args[0])["process_ns"], 50e6)
PYTHON

# One that takes its time to end is waited for, and its end is in the report.
interrupt bash -c 'trap "i=0; while [ \$i -lt 20000 ]; do i=\$((i + 1)); done; exit 9" INT
	touch "$1"; while :; do :; done' bash "$tmp/trapped"
[ -e "$tmp/trapped" ] || fail 'interrupted before the trap was set'
expect_status 9
check <<'PYTHON'
expect_at_least("samples", run.counted, 50)
PYTHON

interrupt sh -c 'while :; do :; done'
expect_status 130

# A run that is over and waits for its command passes a signal on, too.
top_start record -F 99 -d 0.2 -o "$tmp/over" -- sh -c 'while :; do :; done'
until [ -s "$tmp/over" ]; do sleep 0.05; done
kill -TERM "$top_pid"
top_wait
expect_status 143
pass
