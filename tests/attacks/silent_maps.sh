#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A process that holds the lock of its memory while it waits for a file system that does not answer, so that
# nobody can look at its memory: runs end on time, whether it is the target or runs beside others.
. "$(dirname "$0")/lib.sh"

# Whoever reads it waits for the lock; of the mappings kernels since 6.17 tell without it.
is_locked() {
	! timeout --signal=KILL 1 cat "/proc/$1/cmdline" >/dev/null 2>&1 && [ -d "/proc/$1" ]
}

start_beside
start_silent fault
start_attacker locker "$tmp/mount/file"
locker=$pid
fall_silent
kill -USR1 "$locker"
wait_for is_locked "$locker"
record_beside 2
limited 512 60 record -q -p "$locker" -d 1 -o "$tmp/profile"
expect_status 0
expect_on_time 1
is_locked "$locker" || fail "is not locked any more"
end_silent
end "$locker"
pass
