#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Nothing is lost while a key is held, while the terminal takes nothing, and while all is stopped.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/terminal.sh"

# The whole run's ledger, from the file that it leaves.
expect_ledger() {
	top report --by function "$tmp/run.pb.gz"
	expect_status 0
	grep -qE '^ledger .* \+ 0 lost' "$out" || fail 'samples were lost'
	top report --format=json "$tmp/run.pb.gz"
	python3 - "$out" <<-'PYTHON' || fail 'the ledger does not balance'
		import json, sys
		ledger = json.load(open(sys.argv[1]))["ledger"]
		assert ledger["events"] == ledger["counted"] + ledger["idle"] + ledger["filtered"] + ledger["lost"], ledger
		assert ledger["counted"] > 0
	PYTHON
}

start shares 120
terminal 100x30
run_there --stats -p "$pid" -i 0.5 -F 999 --save "$tmp/run.pb.gz"
see 'share_40'
see '^drain .*, symbols .*, display .*; a run [0-9.]+ [nu]s'
for _ in $(seq 40); do
	press Down Down Down Down Up Up Up 2 PageDown 3 1 '[' ']' Space Space Tab
done
press Escape 1
see '^ 1 Stacks'
press q
back
expect_status 0
expect_ledger

# Ctrl-S: the view waits for the terminal, and is the only one.
run_there -p "$pid" -i 0.2 -F 999 --save "$tmp/run.pb.gz"
see 'share_40'
drained() {
	awk '/^(voluntary|nonvoluntary)/ { n += $2 } END { exit !(n > '"$1"') }' \
		"/proc/$view_pid/task/$view_pid/status"
}
press C-s
switches=$(awk '/^(voluntary|nonvoluntary)/ { n += $2 } END { print n }' \
	"/proc/$view_pid/task/$view_pid/status")
wait_for drained $((switches + 30)) # sampling goes on
press C-q
see 'share_40'
press C-s
wait_for drained $((switches + 60))
kill -TERM "$view_pid" # and it ends although nobody takes what it draws
expect_end
expect_status 0
press C-q
expect_ledger

# Stopped and continued: the kernel has counted meanwhile.
terminal 100x30
run_there -p "$pid" -i 0.5 --save "$tmp/run.pb.gz"
see 'share_40'
press C-z
see 'Stopped'
continue_there
see 'share_40 '
press q
back
expect_ledger
pass
