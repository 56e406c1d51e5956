#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernel.perf_event_max_stack below what is asked: stacks are as deep as it allows, which is said.
. "$(dirname "$0")/lib.sh"

sysctl=/proc/sys/kernel/perf_event_max_stack
exec 9<"$sysctl"
flock 9 # whoever runs this test beside us must not take our value for the one to restore
before=$(cat "$sysctl")
# It is busy while anybody on the machine records call chains.
set_sysctl() { echo "$1" 2>/dev/null >"$sysctl"; }
restore() {
	local tries=0
	until set_sysctl "$before" || [ "$tries" -ge 200 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	finish
}
trap restore EXIT

start depth 100 30
deadline=$((SECONDS + 40))
until set_sysctl 40; do
	[ "$SECONDS" -lt "$deadline" ] || skip 'somebody records call chains all the time'
	sleep 0.02
done
json --max-depth 127 -p "$pid" -F 499 -i 0.5 -d 0.5
wait_for set_sysctl "$before"
check <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(20))
expect_eq("deepest user stack", max(len(sample.user) for sample in run.samples), 40)
expect_eq("truncated", run.truncated, run.counted)
PYTHON
expect_err 'perf_event_max_stack'

# Above it, the limit is the one that was asked for, and nothing needs to be said.
json --max-depth 20 -p "$pid" -F 499 -i 0.5 -d 0.5
expect_silent
check <<'PYTHON'
expect_eq("deepest user stack", max(len(sample.user) for sample in run.samples), 20)
PYTHON
pass
