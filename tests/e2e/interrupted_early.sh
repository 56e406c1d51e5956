#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A signal that comes before sampling begins ends the program: the command does not run, and nothing is
# left behind. One that comes later ends the run as ever.
. "$(dirname "$0")/lib.sh"

start shares 100
mkdir "$tmp/results"
# early SECONDS ARGUMENTS...: sets status; the signal comes after so long.
early() {
	top_start "${@:2}"
	sleep "$1"
	kill -TERM "$top_pid" 2>/dev/null || true
	top_wait
}
is_gone() {
	! pgrep -f "^$1"
}
patience_s=10
cut=0
for delay in 0 0.01 0.02 0.05 0.1 0.2 0.3; do
	early $delay record -q -o "$tmp/results/profile" -- bash -c 'exec -a "$0" sleep 100' "$tmp/command"
	[ "$status" -eq 143 ] || fail "with a command, after $delay s: exit status $status"
	wait_for is_gone "$tmp/command"
	early $delay record -q -p "$pid" -d 100 -o "$tmp/results/profile"
	case $status in
	143) cut=$((cut + 1)) ;;
	0) [ -s "$tmp/results/profile" ] || fail "after $delay s: success, and no profile" ;;
	*) fail "after $delay s: exit status $status" ;;
	esac
	rm -f "$tmp/results/profile"
	[ -z "$(ls -A "$tmp/results")" ] || fail "after $delay s: left behind: $(ls -A "$tmp/results")"
done
[ "$cut" -gt 0 ] || fail "no signal came early"
pass
