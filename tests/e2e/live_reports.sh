#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What terminals send of the mouse is no key of the live view; and all intervals are forgotten at the second R only.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/terminal.sh"

start shares 30
# send TEXT: as it is.
send() {
	local bytes
	read -ra bytes <<<"$(printf %s "$1" | od -An -tx1 | tr '\n' ' ')"
	in_tmux send-keys -H "${bytes[@]}"
}

terminal 100x30
run_there -p "$pid" -i 0.3
see 'share_40'
for report in $'\e[<0;20;10M\e[<0;20;10m' $'\e[M qq' $'\e[<65;3;6M' $'\e[35;6;6M' $'\e[I\e[O'; do
	send "$report"
done
press 2
see 'share_40 \('
sees 'STACK, leaf' && fail 'a report ended the view, or changed it'
press R
see 'R again forgets all intervals'
press j
see_no 'R again'
press R R
see_no 'R again'
press q
expect_end
expect_status 0
pass
