#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Names with escape sequences, wide and combining characters: they are shown, and do nothing.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/terminal.sh"

start hostile 120
odd=$tmp/$'\e]0;owned\a\e[2J漢字e\xcc\x81'
cp "$workloads/shares" "$odd"
"$odd" 120 >"$tmp/odd.out" &
odd_pid=$!
started+=("$odd_pid")
wait_for grep -q ready "$tmp/odd.out"

terminal 100x30
title=$(in_tmux display-message -p '#{pane_title}')
run_there -p "$pid,$odd_pid" -i 0.5
see 'share_40'
for view in 1 2 3 4 5 6; do
	press "$view"
	see '^ 1 Stacks  2 Functions'
	see '^topstacks  '
	see 'quit'
done
press 4
see '\\x1b\]0;ow.*'
press 1
see 'COMMAND'
# Every line of the table ends where the pane beside it begins: below the views, above the keys.
in_tmux resize-window -x 160 -y 40
gutter() {
	local at
	at=$(screen | sed -n '/^ 1 Stacks/,$p' | sed '1d;$d' | while IFS= read -r line; do
		line=${line%│*}
		printf '%s\n' "${#line}"
	done | sort -u)
	[ "$at" = 97 ]
}
wait_for gutter
[ "$(in_tmux display-message -p '#{pane_title}')" = "$title" ] || fail 'a name has set the title'
press q
back
expect_status 0
pass
