# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# Sourced after lib.sh by tests of the live view: a shell in a terminal of tmux, keys for it, and
# what a person would see there.
#
#	terminal 80x24
#	run_there -p "$pid" -i 0.5           # ./topstacks, its standard error into $err
#	see 'share_40'                       # an extended regular expression, of a line
#	press 2 Down                         # names of keys as tmux knows them
#	press q; back; expect_status 0

nr_terminals=0
session=$tmp/tmux0

in_tmux() {
	tmux -S "$session" -f /dev/null "$@"
}

# terminal WIDTHxHEIGHT [NAME=VALUE...]: a shell in a fresh one.
terminal() {
	local width=${1%x*} height=${1#*x}
	shift
	in_tmux kill-server 2>/dev/null || true
	nr_terminals=$((nr_terminals + 1))
	session=$tmp/tmux$nr_terminals # a server that ends still has its socket for a moment
	rm -f "$tmp/stty.before"
	in_tmux new-session -d -x "$width" -y "$height" -c "$tmp" \
		"env -u NO_COLOR LC_ALL=C.UTF-8 PS1='ready> ' $* bash --norc --noprofile -i"
	started+=("$(in_tmux display-message -p '#{pid}')")
	see '^ready> *$'
	in_tmux send-keys 'stty -a >stty.before' Enter
	wait_for [ -s "$tmp/stty.before" ]
}

screen() {
	in_tmux capture-pane -p
}

sees() {
	screen | grep -qE -- "$1"
}

# see PATTERN: waits until it is on the screen.
see() {
	local deadline=$((SECONDS + patience_s))
	until sees "$1"; do
		if [ "$SECONDS" -gt "$deadline" ]; then
			screen | sed 's/^/| /'
			fail "not seen: $1"
		fi
		sleep 0.02
	done
}

# Waits until it is no longer there.
see_no() {
	local deadline=$((SECONDS + patience_s))
	while sees "$1"; do
		[ "$SECONDS" -le "$deadline" ] || { screen | sed 's/^/| /'; fail "still seen: $1"; }
		sleep 0.02
	done
}

press() {
	in_tmux send-keys "$@"
}

# Literally, as if typed.
type_text() {
	in_tmux send-keys -l -- "$1"
}

# command_there COMMAND: in the terminal, by the shell that is there, so that it is a job of its own.
# What is typed is short: a command line that wraps is another one when the window changes its width.
command_there() {
	rm -f "$tmp/status"
	printf '%s\necho $? >status\n' "$1" >"$tmp/command"
	type_text '. ./command'
	press Enter
}

# run_there ARGUMENTS...: the program in the terminal; sets view_pid.
run_there() {
	rm -f "$tmp/pid"
	: >"$err"
	printf '#!/bin/bash\necho $$ >pid\nexec %q "$@"\n' "$topstacks" >"$tmp/program"
	chmod 755 "$tmp/program"
	command_there "./program ${*@Q} 2>err"
	wait_for [ -s "$tmp/pid" ]
	view_pid=$(cat "$tmp/pid")
}

# Until a command_there has ended.
expect_end() {
	wait_for [ -s "$tmp/status" ]
	status=$(cat "$tmp/status")
}

# In the foreground again, after it was stopped. The shell has said by now that it was, or will before.
continue_there() {
	type_text 'clear; rm status; fg; echo $? >status'
	press Enter
	see_no 'rm status'
}

# Waits until the shell is back, and the terminal as it was; sets status.
back() {
	expect_end
	see '^ready> *$'
	expect_terminal_restored
}

is_left() {
	[ "$(in_tmux display-message -p '#{alternate_on}#{cursor_flag}')" = 01 ]
}

# On the screen that was there before, with a cursor, and the terminal set as it was.
expect_terminal_restored() {
	wait_for is_left
	rm -f "$tmp/stty.after"
	press Enter
	type_text 'stty -a >stty.after'
	press Enter
	wait_for [ -s "$tmp/stty.after" ]
	# The size is the window's.
	diff <(sed 's/rows [0-9]*; columns [0-9]*;//' "$tmp/stty.before") \
		<(sed 's/rows [0-9]*; columns [0-9]*;//' "$tmp/stty.after") ||
		fail "the terminal is not as it was"
	press clear Enter
}
