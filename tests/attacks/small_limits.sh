#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Under limits that are too small a run does what it can, or ends with a sentence; never by a signal,
# and never with half a file.
. "$(dirname "$0")/lib.sh"

start shares 300
# within LIMIT VALUE
within() {
	local status=0
	rm -f "$tmp/recorded"
	(
		ulimit "$1" "$2"
		exec timeout --signal=KILL 60 "$topstacks" record -q -p "$pid" -d 0.5 -F 499 -o "$tmp/recorded"
	) </dev/null 2>&1 | cat >"$err" || status=$? # which the limit would bound, too
	[ "$status" -lt 124 ] || fail "ulimit $1 $2: exit status $status"
	if [ "$status" -eq 0 ]; then
		top report "$tmp/recorded"
		expect_status 0
	else
		grep -q '^topstacks: ' "$err" || fail "ulimit $1 $2: exit status $status without a sentence"
		[ ! -e "$tmp/recorded" ] || top report "$tmp/recorded"
	fi
}
for value in 8 12 16 20 24 32 48 64; do within -n $value; done
for value in 200000 400000; do within -v $value; done
for value in 0 1 4; do within -f $value; done
for value in 64 128 256; do
	within -s $value
	! grep 'debug information' "$err" || fail "ulimit -s $value: a reader had too little stack"
	(ulimit -s $value; exec timeout --signal=KILL 30 "$topstacks" -p "$pid" --once -i 0.5 --lines) >"$out" 2>"$err" </dev/null ||
		fail "ulimit -s $value: exit status $?"
	grep -q "^samples " "$out" || fail "ulimit -s $value: no header"
done
for value in 1 64; do within -l $value; done
pass
