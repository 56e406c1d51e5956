#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What is read may be a pipe, whose writer is waited for; but nothing waits for one that does not come.
. "$(dirname "$0")/lib.sh"

printf 'main;parse 3\nmain;draw 2\n' >"$tmp/profile"
echo 'fail-on = none' >"$tmp/config"
cd "$tmp" || exit
slowly() {
	sleep 0.3
	cat "$1"
}
folded=$(LC_ALL=C sort profile)

# expect_profile COMMAND...: its output is the profile.
expect_profile() {
	[ "$(timeout --signal=KILL 60 "$topstacks" report --format=folded "$@" 2>"$err" | LC_ALL=C sort)" = "$folded" ] || fail "not the profile: $*"
}
expect_profile <(cat profile)
expect_profile <(slowly profile)
expect_profile /dev/stdin < <(slowly profile)
mkfifo fifo
slowly profile >fifo &
started+=("$!")
expect_profile fifo

timeout --signal=KILL 60 "$topstacks" diff --config <(slowly config) <(slowly profile) --against <(slowly profile) >"$out" 2>"$err" ||
	fail 'diff does not read pipes'
top baseline save <(cat profile)
expect_status 2
expect_err 'cannot save "/dev/fd/.*": it is no file'
[ -z "$(find baselines -name 'run-*')" ] || fail 'a pipe was saved'

# All at once, since each waits. One has a writer that says nothing for longer than a writer may be missing.
mkfifo one two three four silent
(
	exec 9>silent
	sleep 12
	cat profile >&9
) &
started+=("$!")
timeout --signal=KILL 60 "$topstacks" report --format=folded silent >said </dev/null &
silent_pid=$!
started+=("$silent_pid")
pids=()
attempt() {
	timeout --signal=KILL 60 "$topstacks" "$@" >/dev/null 2>"$tmp/err.${#pids[@]}" </dev/null &
	pids+=("$!")
	started+=("$!")
}
attempt report one
attempt diff two --against profile
attempt diff profile --against three
attempt diff --config four profile --against profile
for i in "${!pids[@]}"; do
	status=0
	wait "${pids[i]}" || status=$?
	cp "$tmp/err.$i" "$err"
	expect_status 2
	expect_err '^topstacks: cannot read ".*": no data available; no program writes to it$'
done

wait "$silent_pid" || fail 'a silent writer is not waited for'
[ "$(LC_ALL=C sort said)" = "$folded" ] || fail 'not what a silent writer wrote'

# What has no end is not read to it.
top report /dev/zero
expect_status 2
expect_err 'cannot read "/dev/zero": file too large'
top report "$tmp"
expect_status 2
expect_err 'has no recordings'
pass
