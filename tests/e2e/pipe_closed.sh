#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A reader that has read enough ends us: soon, and without complaint.
. "$(dirname "$0")/lib.sh"

start stacks 8 30
for format in --json --folded ''; do
	begin=$SECONDS
	{
		status=0
		timeout --signal=KILL 20 "$topstacks" ${format:+"$format"} -p "$pid" -i 0.2 2>"$err" || status=$?
		echo "$status" >"$tmp/status"
	} | head -n 1 >"$out"
	[ -s "$out" ] || fail "nothing printed with '$format'"
	[ $((SECONDS - begin)) -lt 10 ] || fail "went on with '$format'"
	[ "$(cat "$tmp/status")" -eq 0 ] || fail "exit status $(cat "$tmp/status") with '$format'"
	expect_silent
done

# Other failures to write are not silent.
status=0
timeout --signal=KILL 20 "$topstacks" --json -p "$pid" -i 0.2 -d 1 >/dev/full 2>"$err" || status=$?
expect_status 4
expect_err 'no space'
pass
