#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The live view leaves the terminal as it found it, whatever ends or stops it; and draws again in
# any size.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/terminal.sh"

start shares 120
terminal 80x24
run_there -p "$pid" -i 0.5
see 'share_40'
for size in 60x15 200x50 20x5 1x1 80x24; do
	in_tmux resize-window -x "${size%x*}" -y "${size#*x}"
	[ "$size" = 1x1 ] && continue
	see 'topsta'
done
see 'share_40'

# Ctrl-Z gives it back, fg takes it again; and so does being stopped from outside.
press C-z
see 'Stopped'
expect_terminal_restored
continue_there
see 'share_40 '
see '^ 1 Stacks'
kill -STOP "$view_pid"
see 'Stopped'
continue_there
see '^ 1 Stacks'
see 'share_40 '
press q
back
expect_status 0

for signal in TERM INT HUP; do
	run_there -p "$pid" -i 0.5
	see 'share_40 '
	kill -"$signal" "$view_pid"
	back
	expect_status 0
done
run_there -p "$pid" -i 0.5
see 'share_40 '
press C-c
back
expect_status 0

# A fault of its own, or a signal that means nothing here: the terminal is whole, the signal is told.
for signal in SEGV ABRT QUIT USR1; do
	run_there -p "$pid" -i 0.5
	see 'share_40 '
	kill -"$signal" "$view_pid"
	back
	expect_status $((128 + $(kill -l "$signal")))
done

# The target dies: its last picture stays, with a message.
run_there -p "$pid" -i 0.5 -F 999
see 'spend_shares'
kill -KILL "$pid"
see 'has ended; this is its last picture'
press 2
see 'spin \(shares\)'
press q
back
expect_status 0
expect_err 'shares .* has ended'
pass
