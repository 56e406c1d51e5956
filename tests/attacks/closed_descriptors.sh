#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Started without standard input, output or error, in every combination: no file that is opened instead
# gets what was meant for them.
. "$(dirname "$0")/lib.sh"

start shares 100
printf 'main;f 1\n' >"$tmp/profile"
# without DIGITS COMMAND...: with these descriptors closed.
without() {
	local closed=$1
	shift
	(
		[[ $closed != *0* ]] || exec 0<&-
		[[ $closed != *2* ]] || exec 2>&-
		[[ $closed != *1* ]] || exec 1>&-
		exec timeout --signal=KILL 30 "$@"
	) >"$out" 2>"$err" </dev/null
}
for closed in 0 1 2 01 02 12 012; do
	rm -f "$tmp/recorded" "$tmp/reported"
	status=0
	without $closed "$topstacks" record -p "$pid" -d 0.5 -F 999 -o "$tmp/recorded" || status=$?
	[ "$status" -eq 0 ] || [ "$status" -eq 4 ] || fail "record without $closed: exit status $status"
	top report "$tmp/recorded"
	expect_status 0
	status=0
	without $closed "$topstacks" report --format folded -o "$tmp/reported" "$tmp/profile" || status=$?
	[ "$status" -eq 0 ] || [ "$status" -eq 4 ] || fail "report without $closed: exit status $status"
	[ "$(cat "$tmp/reported")" = 'main;f 1' ] || fail "without $closed: $(cat "$tmp/reported")"
done

# While it runs, nothing else has their numbers.
for closed in 0 1 2 01 02 12 012; do
	(
		[[ $closed != *0* ]] || exec 0<&-
		[[ $closed != *2* ]] || exec 2>&-
		[[ $closed != *1* ]] || exec 1>&-
		exec "$topstacks" record -q -p "$pid" -d 100 -o "$tmp/recorded"
	) >"$out" 2>"$err" </dev/null &
	top_pid=$!
	started+=("$top_pid")
	wait_sampling
	for ((i = 0; i < ${#closed}; i++)); do
		is=$(readlink "/proc/$top_pid/fd/${closed:i:1}")
		[ "$is" = /dev/null ] || fail "without $closed: ${closed:i:1} is $is"
	done
	top_end
done
pass
