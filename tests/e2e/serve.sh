#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# topstacks serve: the last seconds and those that come, what is new for a client, and that each sample is
# in the answers once; a front end that is killed costs nothing that was sampled.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/serving.sh"

# Everybody may connect, in a directory that was not there, too, and whatever the mask.
socket=$tmp/made/serve.sock
start shares 1000
mask=$(umask)
umask 077
serve -p "$pid" --slice 1 -F 499 --max-overhead 100
umask "$mask"
[ "$(stat -c %a "$tmp/made")" = 755 ] || fail "others cannot connect: $(ls -ld "$tmp/made")"
[ "$(stat -c %a "$socket")" = 666 ] && [ "$(stat -c %a "$socket.token")" = 600 ] || fail "modes: $(ls -l "$tmp")"

# A profile that is waited for is as long as was asked for, and holds a sample for each period.
asked "/debug/pprof/profile?seconds=2" "$tmp/two"
"$topstacks" report --format json "$tmp/two" >"$out"
python3 - "$out" <<'PYTHON' || fail "see above"
import json, sys
profile = json.load(open(sys.argv[1]))
facts, ledger = profile["provenance"], profile["ledger"]
assert 2 <= facts["duration_s"] < 4, facts
assert facts["event"] == "cpu-clock" and facts["host"] and facts["kernel"], facts
assert ledger["balanced"] and ledger["counted"] == sum(s["count"] for s in profile["samples"]) > 20, ledger
functions = {frame["function"] for frame in profile["frames"]}
assert {"share_20", "share_30", "share_40"} <= functions, functions
PYTHON

# What is new: each answer begins where the one before ended, and together they are all samples there were.
total=0
for _ in 1 2 3; do
	ask "/debug/pprof/delta_profile?client=one" "$tmp/delta"
	[ "$status_of_http" = 200 ] && total=$((total + $(count_in "$tmp/delta")))
	sleep 0.3
done
before=$total

# Who goes away before the answer has come misses nothing: it is sent at the next visit.
for _ in 1 2 3; do
	kill -STOP "$serve_pid"
	python3 - "$socket" "$token" <<-'PYTHON'
		import socket, sys
		with socket.socket(socket.AF_UNIX) as one:
		    one.connect(sys.argv[1])
		    one.sendall(b"GET /debug/pprof/delta_profile?client=one HTTP/1.1\r\nHost: localhost\r\n"
		                b"Authorization: Bearer " + sys.argv[2].encode() + b"\r\n\r\n")
	PYTHON
	sleep 0.2
	kill -CONT "$serve_pid"
	sleep 0.2
done

# The front end is killed: another one takes its place, and the past is still there.
front=$(pgrep -f topstacks-front -P "$(pgrep -P "$serve_pid" topstacks-keep)") || fail "no front end"
kill -KILL "$front"
wait_for eval '! kill -0 "$front"'
wait_for answers
asked "/debug/pprof/profile?ago=1h" "$tmp/all"
[ "$(count_in "$tmp/all")" -ge "$before" ] || fail "samples are gone with the front end"

kill -STOP "$pid"
wait_for grep -q "^State:.*T" "/proc/$pid/status"
asked "/debug/pprof/delta_profile?client=one" "$tmp/delta"
total=$((total + $(count_in "$tmp/delta")))
asked /metrics "$tmp/metrics"
counted=$(sed -n 's/^topstacks_samples_total{event="cpu-clock",fate="counted"} //p' "$tmp/metrics")
[ "$counted" -gt 0 ] && [ "$total" -eq "$counted" ] || fail "$total samples in the answers, $counted counted"
if command -v promtool >/dev/null; then
	promtool check metrics <"$tmp/metrics" >"$tmp/promtool" 2>&1 || fail "$(cat "$tmp/promtool")"
fi

# What is not there.
ask "/debug/pprof/off-cpu?seconds=90" "$tmp/refused" -m 60 # which nobody waits for
[ "$status_of_http" = 404 ] && grep -q 'off-cpu is not sampled' "$tmp/refused" || fail "$status_of_http: $(cat "$tmp/refused")"
ask "/debug/pprof/profile?at=2001-01-01T00:00:00Z&seconds=5" "$tmp/refused"
[ "$status_of_http" = 404 ] && grep -q 'the past reaches back' "$tmp/refused" || fail "$status_of_http: $(cat "$tmp/refused")"
ask "/debug/pprof/delta_profile" "$tmp/refused"
[ "$status_of_http" = 400 ] || fail "$status_of_http: $(cat "$tmp/refused")"
token=0123456789abcdef0123 ask /metrics "$tmp/refused"
[ "$status_of_http" = 401 ] || fail "$status_of_http: $(cat "$tmp/refused")"

# A service's signal goes to all of its processes.
keeper=$(pgrep -P "$serve_pid" -x topstacks-keep)
kill -TERM "$keeper" "$(pgrep -P "$keeper")" "$serve_pid"
top_wait
expect_status 0
[ ! -e "$socket" ] && [ ! -e "$socket.token" ] || fail "the socket is left"
pass
