#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Where debug information should be there is a trap instead: nobody steps into it, and the run ends on
# time. What is opened and does not answer is in silent_debug_files.
. "$(dirname "$0")/lib.sh"

make_split
start_as_attacker "$den/split"
target=$pid

record_lines() {
	limited 512 60 record -q --lines -p "$target" -d 1 -F 499 -o "$tmp/profile"
	expect_status 0
	expect_on_time 1
}

# expect_untouched FILE: nobody opens it in a run; to look at what it is needs no opening.
expect_untouched() {
	local watcher watched=$tmp/watched${#started[@]}
	python3 "$attacks/opened.py" "$1" >"$watched" 2>&1 &
	watcher=$!
	started+=("$watcher")
	wait_ready "$watcher" "$watched"
	record_lines
	! grep opened "$watched" || fail "somebody stepped into the trap"
	: <>"$1" # as the watcher would have seen
	wait_for grep opened "$watched"
	end "$watcher"
}

record_lines
read_profile "$tmp/profile"
check "$target" <<-'PYTHON'
	ours = [s for s in run.samples if s.pid == int(args[0]) and s.user]
	expect_at_least("samples", sum(s.count for s in ours), 10)
	expect_at_least("with a line", sum(s.count for s in ours if s.user[0].get("line")), 10)
PYTHON

# A FIFO that would keep its reader waiting, and a device that never ends.
rm "$dwo"
mkfifo "$dwo"
chown "$attacker_uid" "$dwo"
expect_untouched "$dwo"
rm "$dwo"
mknod -m 666 "$tmp/zero" c 1 5
ln -s "$tmp/zero" "$dwo"
expect_untouched "$tmp/zero"
pass
