#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# topstacks-push: whatever the server does, the ledger says what became of each sample, and agrees with what
# the server has counted itself.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pushing.sh"

# try NAME MODE...: sends files to a server that does so; then all must be booked.
try() {
	make_spool "${files:-3}"
	start_server "${@:2}"
	push "${more[@]}"
	end_server
	[ "$status" -eq "${expected:-0}" ] || fail "$1: exit status $status"
	expect_balance
	! grep -q $'\033' "$err" || fail "$1: the server's bytes reach the terminal"
}
more=()

expect_all_sent() {
	expect_row sent "$recorded"
	expect_row waiting 0
}

try 'a server that is well' ok
expect_all_sent
expect_row 'resent, unconfirmed' 0
expect_silent
[ "$(find "$tmp/spool" -name '*.pb.gz' | wc -l)" -eq 3 ] || fail 'the spool has changed'
# What was sent is not sent again.
start_server ok
push
end_server
expect_all_sent
expect_balance

for format in otlp pprof; do
	make_spool 3
	start_server ok
	[ "$format" = otlp ] || url+=/pprof
	push --format "$format"
	end_server
	expect_status 0
	expect_balance
	expect_all_sent
done

# Away, and back.
make_spool 3
start_server ok
end_server
push --tries 3
expect_status 4
expect_err 'cannot send, 3 times in a row: .*what was not sent waits'
expect_row waiting "$recorded"
expect_balance
start_server ok
push
end_server
expect_all_sent
expect_balance

# What may be sent again.
try 'seconds to wait' 429=1 ok
expect_all_sent
try 'a date to wait for' 429=date ok
expect_all_sent
try 'no time to wait' 429 429 ok
expect_all_sent
try 'not available' 503 502 504 ok
expect_all_sent
try 'cut in the request' cut ok
expect_all_sent
try 'cut in the answer' cut-answer ok
expect_all_sent
expect_some 'resent, unconfirmed'
more=(--timeout 0.5)
try 'a slow answer' slow=2 ok
expect_all_sent
expect_some 'resent, unconfirmed'
more=()

# What never will be taken.
try 'bad for good' 400
expect_row 'bad request \(400\)' "$recorded"
expect_row waiting 0
try 'bad once' 400 ok
expect_all_sent
try 'unprocessable' 422
expect_row rejected "$recorded"
try 'broken' 500
expect_row rejected "$recorded"
STACKS=20 try 'too large for good' 413
expect_row 'too large \(413\)' "$recorded"
try 'too large as a whole' max=4000
expect_all_sent
try 'a burst that is never taken at once' burst=5000
expect_all_sent
more=(--retry 0.001)
files=1 STACKS=1 try 'too much for good' 429
expect_row 'too much \(429\), each time' "$recorded"
more=()

# Nothing that is sent there would be taken: it waits.
for answer in 302 307 404; do
	expected=2 try "$answer" "$answer"
	expect_row waiting "$recorded"
	expect_err "$answer"
	[ "$(server_log length)" -eq 1 ] || fail "it went on"
done
for answer in 401 403; do
	expected=3 try "$answer" "$answer"
	expect_row waiting "$recorded"
	expect_err '--token-file'
done

# An answer of a gigabyte is not read; its first line counts.
try 'a huge answer' huge
expect_all_sent
expect_row 'resent, unconfirmed' 0

# A part of a request may be rejected by one that takes OTLP: all of that request counts as rejected.
make_spool 1
start_server partial
push --format otlp
end_server
expect_row 'in requests taken in part' "$recorded"
expect_balance

# Killed between sending and the acknowledgement: the same parts are sent again.
make_spool 3
start_server hold
push_start
wait_for grep -q hold "$tmp/server/log"
kill -KILL "$push_pid"
push_wait
end_server
start_server ok
push
end_server
expect_all_sent
expect_balance
expect_some 'resent, unconfirmed'
[ "$(server_log 'map(.parts[][0]) | group_by(.) | map(length) | max')" -eq 2 ] || fail 'no ID came twice'

# Files of clocks that were wrong, and files that are too old.
make_spool 4 60 -31536000 7200 60
start_server ok
push
end_server
expect_balance
expect_some expired
expect_some 'dated later than now, sent as of now'
[ "$(server_log '[.[] | .time as $now | .times[] | select(. < $now - 3600 or . > $now + 600)] | length')" -eq 0 ] ||
	fail 'times that the server would refuse'

# A directory that is hostile: none of it ends the pusher.
make_spool 2
before=$recorded
printf 'topstacks.run' | gzip >"$tmp/spool/topstacks-20260131T123456.789Z-00000003.pb.gz"
head -c 500 /dev/urandom >"$tmp/spool/topstacks-20260131T123456.789Z-00000004.pb.gz"
gzip <"$(find "$tmp/spool" -name '*-00000001.pb.gz')" | head -c 300 >"$tmp/spool/topstacks-20260131T123456.789Z-00000005.pb.gz"
: >"$tmp/spool/topstacks-20260131T123456.789Z-00000006.pb.gz"
mkfifo "$tmp/spool/topstacks-20260131T123456.789Z-00000007.pb.gz"
mkdir "$tmp/spool/topstacks-20260131T123456.789Z-00000008.pb.gz"
ln -s /etc/passwd "$tmp/spool/topstacks-20260131T123456.789Z-00000009.pb.gz"
install -m 0 /dev/null "$tmp/spool/topstacks-20260131T123456.789Z-00000010.pb.gz"
touch "$tmp/spool/topstacks-later" "$tmp/spool/"$'\033'"[31m"
python3 "$helper" make "$tmp/spool" 11 1 2 >"$tmp/more"
recorded=$((before + $(cat "$tmp/more")))
listed=$(cd "$tmp/spool" && find . -printf '%p %s %T@ %m\n' | sort)
start_server ok
push
end_server
expect_status 0
expect_all_sent
expect_row 'files rejected: damaged' 4
expect_row 'files rejected: not readable' 3
expect_balance
[ "$(cd "$tmp/spool" && find . -printf '%p %s %T@ %m\n' | sort)" = "$listed" ] || fail 'the spool has changed'

# Deleted unsent: by the gap in the numbers; of the file that was under way by what was left of it.
make_spool 6
start_server hold
push_start
wait_for grep -q hold "$tmp/server/log"
kill -KILL "$push_pid"
push_wait
end_server
rm "$tmp"/spool/*-0000000[124].pb.gz
start_server ok
push
end_server
expect_row 'files deleted unsent' 2
recorded=''
python3 "$helper" balance "$out" "$tmp/server" || fail 'the account above'
expect_some 'deleted unsent'

# The directory was emptied, and numbers begin again: nothing is skipped.
rm "$tmp"/spool/*
before=$(python3 "$helper" sum "$tmp/server")
again=$(python3 "$helper" make "$tmp/spool" 1 2 3)
start_server ok
push
end_server
[ "$(python3 "$helper" sum "$tmp/server")" -eq $((before + again)) ] || fail 'files with small numbers were skipped'

# Without --once it goes on, tells on SIGUSR1, and ends by a signal.
make_spool 1
start_server ok
push_start --metrics "$tmp/metrics"
wait_for grep -q stored "$tmp/server/log"
more_recorded=$(python3 "$helper" make "$tmp/spool" 2 1 5)
recorded=$((recorded + more_recorded))
wait_for eval '[ "$(wc -l <"$tmp/server/log")" -ge 2 ]'
kill -USR1 "$push_pid"
wait_for grep -q waiting "$out"
kill -TERM "$push_pid"
push_wait
end_server
expect_status 0
expect_all_sent
expect_balance
grep -q '^topstacks_push_samples_total{fate="sent",reason=""} '"$recorded"'$' "$tmp/metrics" || fail 'metrics say something else'
"$pusher" "$tmp/spool" --state "$tmp/state" --status >"$out"
expect_all_sent
pass
