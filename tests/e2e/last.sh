#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# last: what a server has, shown as report shows a file; what it is asked for; and servers that are none.
. "$(dirname "$0")/lib.sh"

socket=$tmp/serve.sock
log=$tmp/asked

# serve ANSWER: a server that answers everything so, in the place of the one before.
serve() {
	[ -z "${server-}" ] || kill "$server"
	: >"$tmp/served"
	rm -f "$log"
	python3 "$root/tests/e2e/fake_serve.py" "$socket" "$log" "$1" >"$tmp/served" 2>&1 &
	server=$!
	started+=("$server")
	wait_ready "$server" "$tmp/served"
}

last() {
	top last --socket "$socket" "$@"
}

# asked PATTERN: the last request had such a line.
asked() {
	tr -d '\r' <"$log" | grep -qxE -- "$1" || fail "not asked for: $1; but $(head -n 1 "$log")"
}

start stacks 5 30
top record -q -p "$pid" -F 499 -d 2 --intervals 0.1 -o "$tmp/kept.pb.gz"
expect_status 0
serve "profile:$tmp/kept.pb.gz"

# The same as report shows of the same bytes, whatever is chosen.
for options in "" "--by function" "--tree callers" "--by time" "--format folded" "--focus leaf --format json"; do
	# shellcheck disable=SC2086
	top report $options "$tmp/kept.pb.gz"
	mv "$out" "$tmp/reported"
	# shellcheck disable=SC2086
	last $options
	expect_status 0
	cmp -s "$out" "$tmp/reported" || fail "not as report shows it: $options"
done
asked 'GET /debug/pprof/profile\?ago=30s&seconds=30&slices=1 HTTP/1\.0'
! grep -q Authorization "$log" || fail "a token from nowhere"

# What is asked for goes to the server, and nothing in it means anything else there.
rm "$log"
last 1.5m -p 4711 --comm 'a b&c=d?*' --container docker:3f2a --cgroup /a.slice/b -e off-cpu
expect_status 0
asked 'GET /debug/pprof/off-cpu\?ago=90s&seconds=90&slices=1&pid=4711&comm=a%20b%26c%3Dd%3F%2A&container=docker%3A3f2a&cgroup=%2Fa.slice%2Fb HTTP/1\.0'
TZ=Europe/Berlin last --at 2025-07-01T14:03:10 10s
expect_status 0
asked 'GET /debug/pprof/profile\?at=2025-07-01T12:03:10Z&seconds=10&slices=1 HTTP/1\.0'

# What came is saved as it came, for nobody else to read.
last -o "$tmp/saved.pb.gz"
expect_status 0
cmp "$tmp/saved.pb.gz" "$tmp/kept.pb.gz"
[ "$(stat -c %a "$tmp/saved.pb.gz")" = 600 ] || fail "others may read it"
last --format html -o "$tmp/saved.html"
expect_status 0
grep -q '<html' "$tmp/saved.html"

# The token beside the socket, or the one that is named; not one that others could read.
rm "$log"
(umask 077 && echo beside-it >"$socket.token")
last
asked 'Authorization: Bearer beside-it'
(umask 077 && echo named >"$tmp/token")
last --token-file "$tmp/token"
asked 'Authorization: Bearer named'
chmod 640 "$tmp/token"
last --token-file "$tmp/token"
expect_status 2
expect_err 'others may read the token in .*chmod 600'
(umask 077 && printf 'two words\r\nX: y' >"$tmp/bad")
last --token-file "$tmp/bad"
expect_status 2
expect_err 'holds no token'
rm "$log"
chmod 644 "$socket.token"
last
! grep -q Authorization "$log" || fail "a secret that is none was sent"
rm "$socket.token"

# Only a part of it is compared with the rest; a second is too much of two.
last --diff 0.1
expect_status 0
grep -q 'before: 1[89] parts of 100 ms, .* samples; last: ' "$out" || fail "not compared"
grep -q '^tau 5 %: that they differ by so much more is assumed, not estimated' "$out" || fail "tau is not said"
asked 'GET /debug/pprof/profile\?ago=31622400s&seconds=31622400&slices=1 HTTP/1\.0'
last --diff 1
expect_status 2
expect_err 'too little is known of before'
last --diff --at 14:03:10
expect_status 2

# Times that are none.
for when in 25:00:00 14:03:10x 2999-01-01T00:00:00 2025-02-30T00:00:00 yesterday; do
	last --at "$when"
	expect_status 2
done
last 30x
expect_status 2
expect_err '"30x" is no time to look back'

# Answers that are none are told in a sentence, and safe to look at.
printf 'HTTP/1.0 401 Unauthorized\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nask \033[31mroot\nfor it' >"$tmp/answer"
serve "$tmp/answer"
last
expect_status 3
grep -qxF 'topstacks: topstacks serve answers 401 Unauthorized: ask \x1b[31mroot' "$err" || fail "not escaped"
refused() {
	printf '%b' "$1" >"$tmp/answer"
	serve "$tmp/answer"
	last
	[ "$status" -ge 2 ] || fail "taken: $1"
	expect_err "$2"
}
refused 'HTTP/1.0 404 Not Found\r\nContent-Type: text/html\r\n\r\n<html>' 'answers 404 Not Found$'
refused '' 'nothing at all'
refused 'SSH-2.0-OpenSSH_9.2\r\n' 'is no HTTP'
refused 'HTTP/1.0 200 OK\r\nContent-Length: 1000\r\n\r\nshort' 'was cut off'
refused 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n' 'a form that was not asked for'
refused 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nwords' 'neither a pprof profile nor folded text'

# Nobody there.
kill "$server"
wait "$server" || true
server=
last
expect_status 3
expect_err 'no process listens at .*sudo topstacks serve'
rm "$socket"
last
expect_status 3
expect_err 'no process listens at'
mkdir -p "$tmp/run/topstacks"
socket=$tmp/run/topstacks/serve.sock
if ! [ -e /run/topstacks/serve.sock ]; then
	serve "profile:$tmp/kept.pb.gz"
	XDG_RUNTIME_DIR=$tmp/run top last
	expect_status 0
fi
pass
