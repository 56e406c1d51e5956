#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A process that holds the lock of its memory while it waits for a file system that does not answer, and one
# of the same memory that is stuck in its exec, so that nobody can look at them: runs end on time, whether
# these are the target or run beside others.
. "$(dirname "$0")/lib.sh"

# What is called NAME of process PID makes whoever reads it wait. Which files do depends on the kernel.
is_locked() {
	! timeout --signal=KILL 1 cat "/proc/$1/$2" >/dev/null 2>&1 && [ -d "/proc/$1" ]
}

start_beside
start_silent fault
start_attacker locker "$tmp/mount/file"
locker=$pid
read -r _ child <"$output"
fall_silent
kill -USR1 "$locker"
wait_for is_locked "$locker" cmdline
wait_for is_locked "$child" maps
record_beside 4
for target in "-p $locker" "-p $child" "-t $locker" "-a --threads"; do
	# shellcheck disable=SC2086
	limited 512 60 record -q $target -d 1 -o "$tmp/profile"
	expect_status 0
	expect_on_time 1
done
is_locked "$locker" cmdline 2>/dev/null || fail "is not locked any more"
is_locked "$child" maps 2>/dev/null || fail "is not locked any more"

# Its end is waited for by nobody.
(
	sleep 1
	kill -KILL "$silent"
) &
record_beside 4
end_silent
end "$locker"
pass
