#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What terminals can and want: none, dumb, vt100, no colours, no UTF-8, tiny; text where there is none.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/terminal.sh"

start shares 120

# Where text cannot be placed, or is asked for, it is text, block by block.
for setting in TERM=dumb -uTERM; do
	terminal 80x24
	command_there "env ${setting/-u/-u } ${topstacks@Q} -p $pid -i 0.2 -d 0.5 -n 3"
	expect_end
	expect_status 0
	see 'SELF %.*FUNCTION'
	! in_tmux capture-pane -e -p | grep -q $'\e\\[' || fail "escape sequences with $setting"
done
terminal 80x24
run_there -p "$pid" -i 0.2 -d 0.5 -n 3 --plain
expect_end
expect_status 0
see 'SELF %.*FUNCTION'
[ "$(in_tmux display-message -p '#{alternate_on}')" = 0 ] || fail 'the live view, despite --plain'
press clear Enter
see_no FUNCTION
command_there "${topstacks@Q} -p $pid -i 0.2 --once -n 1 | cat"
expect_end
expect_status 0
see 'SELF %.*FUNCTION'

# A terminal without colours, and one that is told to have none.
for setting in TERM=vt100 NO_COLOR=1; do
	terminal 100x30 "$setting"
	run_there -p "$pid" -i 0.5
	see 'share_40'
	press 6
	see 'spend_shares'
	press 1
	see '^ +[0-9.]+ .*share_40'
	! in_tmux capture-pane -e -p | grep -qE $'\e\\[[0-9;]*(3|4|9)[0-7]' ||
		fail "colours with $setting"
	press q
	back
	expect_status 0
done
terminal 100x30 TERM=xterm-256color
run_there -p "$pid" -i 0.5
see 'share_40'
in_tmux capture-pane -e -p | grep -qE $'\e\\[[0-9;]*38;5;' || fail 'no colours where there are 256'
press q
back

# Without UTF-8, ASCII is all there is.
terminal 100x30 LC_ALL=C
run_there -p "$pid" -i 0.5
see 'spin < share_40 < spend_shares'
! screen | LC_ALL=C grep -q '[^ -~]' || fail 'not ASCII'
press '?'
see 'only samples with this'
press q
back

# Tiny: what fits is there, and nothing breaks.
for size in 60x15 12x3 3x1; do
	terminal 80x24
	in_tmux resize-window -x "${size%x*}" -y "${size#*x}"
	run_there -p "$pid" -i 0.2 -d 1
	expect_end
	[ "$status" = 0 ] || fail "exit status $status in $size"
done
pass
