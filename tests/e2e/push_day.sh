#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A day of topstacks-push in fast motion: files of clocks that move, a server that comes and goes and fails,
# a pusher that is killed, all at random moments that SEED repeats. In the end the account balances to the
# sample. ALL=1: 10,000 files.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pushing.sh"

RANDOM=${SEED:=1}
echo "SEED=$SEED"
nr_files=${ALL:+10000}
nr_files=${nr_files:-100}

STACKS=20 make_spool "$nr_files" 60 60 7200 60 -86400 60 60 3590 -31536000 60 60 60 9000000
url=http://127.0.0.1:1 # nobody is there yet
start_server ok
end_server

# A dozen things that may happen next, then all is well.
choose_modes() {
	local modes=(ok ok ok ok ok 429 "429=0" 503 cut cut-answer 400 413 422 500 "max=3000" "slow=0.2" huge)
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		echo "${modes[RANDOM % ${#modes[@]}]}"
	done
	echo ok
}

is_done() {
	grep -qx "number $nr_files" "$tmp/state/sent" 2>/dev/null
}

nr_requests() {
	cat "$tmp/server/log" 2>/dev/null | grep -c . || true
}

is_time() {
	is_done || [ "$(nr_requests)" -ge "$1" ]
}

until is_done; do
	push_start --retry 0.001 --timeout 0.1
	for _ in 1 2 3; do
		mapfile -t modes < <(choose_modes)
		start_server "${modes[@]}"
		wait_for is_time $(($(nr_requests) + 1 + RANDOM % (nr_files / 6 + 1)))
		end_server
	done
	kill -KILL "$push_pid"
	push_wait 2>/dev/null
done
start_server ok
push
end_server
expect_status 0
expect_row waiting 0
expect_row files "$nr_files"
expect_row 'files deleted unsent' 0
for name in sent rejected expired 'resent, unconfirmed' 'dated later than now, sent as of now'; do
	expect_some "$name"
done
expect_balance
echo "$(nr_requests) requests"
cat "$out"
pass
