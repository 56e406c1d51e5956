#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Readers, openers and in the end the processes that fork them are killed while new programs come:
# sampling goes on, each interval's ledger balances, and the run ends as always. The user is told what
# was ended.
. "$(dirname "$0")/lib.sh"

kill_all() {
	[ $# -eq 0 ] || kill -KILL "$@" 2>/dev/null || true
}

children_of() {
	local one
	for one in "$@"; do
		cat "/proc/$one/task/"*/children 2>/dev/null || true
	done
}

# A file that nobody has read yet.
new_program() {
	cp "$workloads/shares" "$tmp/shares$1"
	"$tmp/shares$1" 2 >"$tmp/truth$1" 2>&1 &
	started+=("$!")
}

# shellcheck disable=SC2046 # names of processes have no spaces
kill_workers() {
	for _ in {1..20}; do
		kill_all $(children_of $(children_of "$top_pid"))
		sleep 0.02
	done
}

top_start --json -a -i 0.3 -F 199
wait_sampling
wait_intervals 1
[ -n "$(children_of "$top_pid")" ] || fail "there are no helpers to kill"
for each in 1 2 3; do
	new_program "$each"
	kill_workers
done
new_program 4
# shellcheck disable=SC2046
kill_all $(children_of "$top_pid")
new_program 5
wait_intervals 3
wait_samples 20
top_end
check <<-'EOF_'
	expect_at_least("intervals", len(run.intervals), 4)
EOF_

# What forks them, one of the two: the user is told the cause, once, and no file is blamed for it.
forker() {
	local one
	for one in $(children_of "$top_pid"); do
		[ "$(cat "/proc/$one/comm")" != "$1" ] || echo "$one"
	done
}

is_reaped() {
	[ ! -e "/proc/$1" ]
}

told='a process that starts openers or readers was ended'
kill_forker() {
	local victim
	top_start --json -a -i 0.3 -F 199
	wait_sampling
	wait_intervals 2
	victim=$(forker "$1")
	[ -n "$victim" ] || fail "there is no $1"
	kill_all "$victim"
	new_program "$1-1"
	wait_for grep -q "$told" "$err"
	new_program "$1-2"
	wait_for is_reaped "$victim"
	wait_intervals 3
	wait_samples 20
	top_end
	[ "$(grep -c "$told" "$err")" -eq 1 ] || fail "the cause is not told once"
	! grep "was to read it\|is damaged" "$err" || fail "a file is blamed"
	check <<-'EOF_'
		ledgers = [interval["ledger"] for interval in run.intervals]
		expect_at_least("samples without names for it", sum(l["unread_processes"] for l in ledgers), 1)
	EOF_
}
kill_forker topstacks-read
kill_forker ts-opener
pass
