#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program file with capabilities does not parse the terminal description of whoever runs it.
. "$(dirname "$0")/lib.sh"

capable=$tmp/bin/topstacks
cp "$topstacks" "$capable"
setcap cap_bpf,cap_perfmon,cap_syslog,cap_sys_ptrace,cap_dac_read_search,cap_checkpoint_restore+ep "$capable"
mkdir "$den/terminfo" "$den/home"
infocmp xterm | sed 's/^xterm|.*/xterm|planted,/; s/smcup=[^,]*/smcup=PLANTED/' >"$tmp/source"
grep -q PLANTED "$tmp/source" || fail "no such capability"
tic -o "$den/terminfo" "$tmp/source" 2>/dev/null
chmod -R a+rX "$den"

# view PROGRAM: what it wrote to its terminal
view() {
	(exec_as_attacker env TERM=xterm TERMINFO="$den/terminfo" HOME="$den/home" \
		timeout --signal=KILL 20 script -qec "$1 -a -d 2 -i 0.5" /dev/null) </dev/null >"$tmp/screen" 2>&1 || true
	[ -s "$tmp/screen" ] || fail "nothing on the screen"
}
view "$capable"
! grep -q PLANTED "$tmp/screen" || fail "parsed the caller's terminal description"
mkdir "$den/home/.terminfo"
cp -r "$den/terminfo/." "$den/home/.terminfo/"
(exec_as_attacker env -u TERMINFO TERM=xterm HOME="$den/home" \
	timeout --signal=KILL 20 script -qec "$capable -a -d 2 -i 0.5" /dev/null) </dev/null >"$tmp/screen" 2>&1 || true
! grep -q PLANTED "$tmp/screen" || fail "parsed the description in the caller's home"
pass
