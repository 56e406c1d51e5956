#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What a high rate costs other programs is said once, to a person: not to files, not at usual rates.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/terminal.sh"

slower='at [0-9]+ Hz programs on [0-9]+ CPUs? run some [0-9]+ % slower; .*-F lowers it'

# All that a terminal gets, with standard error.
in_terminal() {
	timeout --signal=KILL 60 python3 -c '
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' \
		"$topstacks" "$@" >"$out" 2>"$err" </dev/null || fail "$* failed"
}

says() {
	[ "$(grep -cE "^topstacks: $slower" "$out")" = "$1" ] || fail "not said $1 times"
}

start shares 100
in_terminal --once -p "$pid" -F 4999 -i 0.2
says 1
in_terminal --once -p "$pid" -F 999 -i 0.2
says 0
in_terminal record --repeat 2 -F 4999 -o "$tmp/runs/" -- true
says 1
in_terminal record -q -d 0.2 -p "$pid" -F 4999 -o "$tmp/quiet.pb.gz"
says 0
top --once -p "$pid" -F 4999 -i 0.2
expect_status 0
expect_silent
grep -qE "^ +$slower" "$out" || fail 'the header does not say it'

# The live view has it above the table, as long as the rate is high.
terminal 80x24
run_there -p "$pid" -i 0.5 -F 4999
see "^$slower"
see 'share_40'
press 2
see "^$slower"
press F 2999 Enter
see '^at 2999 Hz programs'
press F 499 Enter
see_no "^$slower"
press q
back
expect_status 0
expect_silent
pass
