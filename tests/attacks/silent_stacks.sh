#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Who waits is looked at from outside. Threads whose stacks are in a file that is never read, and a process that holds
# the lock of its memory: runs that sample waits end on time, whether these are the target or run beside others.
. "$(dirname "$0")/lib.sh"

# What is called NAME of process PID makes whoever reads it wait. Which files do depends on the kernel.
is_locked() {
	! timeout --signal=KILL 1 cat "/proc/$1/$2" >/dev/null 2>&1 && [ -d "/proc/$1" ]
}

# is_far PID ADDRESS: it makes whoever reads it wait.
is_far() {
	local code=0
	timeout --signal=KILL 1 dd if="/proc/$1/mem" of=/dev/null bs=1 count=1 skip="$2" 2>/dev/null || code=$?
	[ "$code" -eq 137 ]
}

# expect_ends TARGET...: and the time of all threads is there, with stacks or without.
expect_ends() {
	local waits
	for waits in "-e off-cpu" "-e wall" "-e lock --wakers"; do
		# shellcheck disable=SC2086
		limited 512 60 record -q "$@" $waits -d 1 -o "$tmp/profile"
		expect_status 0
		expect_on_time 1
		read_profile "$tmp/profile"
		check <<<'expect_at_least("wall, s", run.wall_ns / 1e9, 0.9)'
	done
}

start_silent read
start_attacker far_stacks "$tmp/mount/file" 16
read -r _ address <"$output"
fall_silent
wait_for all_sleep "$pid"
expect_ends -p "$pid"
expect_ends -a --threads
is_far "$pid" "$address" || fail "their stacks can be read"
end "$pid"
end_silent

start_silent fault
start_attacker locker "$tmp/mount/file"
locker=$pid
read -r _ child <"$output"
fall_silent
kill -USR1 "$locker"
wait_for is_locked "$locker" cmdline
wait_for is_locked "$child" maps
expect_ends -p "$locker,$child"
expect_ends -a
is_locked "$locker" cmdline || fail "is not locked any more"
end_silent
end "$locker"
pass
