#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -- COMMAND: its exit status becomes ours; our own failures cannot be taken for its.
. "$(dirname "$0")/lib.sh"

expect_command() {
	local expected=$1
	shift
	top --json -- "$@"
	expect_status "$expected"
}
expect_command 0 true
check <<'PYTHON'
expect_eq("intervals", len(run.intervals), 1)
PYTHON
expect_command 7 sh -c 'exit 7'
expect_command 143 sh -c 'kill -TERM $$'
expect_command 137 sh -c 'kill -KILL $$'
expect_command 127 "$tmp/no-such-command"
expect_err 'no-such-command'
expect_command 127 no-such-command-in-path
: >"$tmp/not-executable"
expect_command 126 "$tmp/not-executable"
expect_err 'not-executable'
expect_command 126 "$tmp"

top --no-such-option -- true
expect_status 125

# The command's own output and input are its own.
status=0
echo 'from outside' | "$topstacks" --once -- cat >"$out" 2>"$err" || status=$?
expect_status 0
grep -q 'from outside' "$out" || fail 'the command did not read our input'
pass
