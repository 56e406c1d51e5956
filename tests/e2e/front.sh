#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The front end of serve, between real clients and a sampler that is a script: what clients get, what the sampler
# is asked, who is let in, and what the process may do.
# shellcheck disable=SC2034 # status is read by expect_status
. "$(dirname "$0")/lib.sh"

front=$build/topstacks-front
[ -x "$front" ] || skip "the front end is not built; make fleet builds it"
for tool in curl go openssl; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
dir=$tmp/front
mkdir "$dir"

# A profile that Go's own encoder has not made: 7 samples of one function.
python3 - "$dir/profile" <<'PYTHON'
import gzip, sys
def number(n):
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + number(n >> 7)
def field(tag, value):
    if isinstance(value, int):
        return number(tag << 3) + number(value)
    return number(tag << 3 | 2) + number(len(value)) + value
strings = ["", "samples", "count", "served_here", "program"]
profile = field(1, field(1, 1) + field(2, 2)) + field(2, field(1, bytes([1])) + field(2, bytes([7])))
profile += field(3, field(1, 1) + field(2, 4096) + field(3, 8192) + field(5, 4) + field(7, 1))
profile += field(4, field(1, 1) + field(2, 1) + field(3, 5000) + field(4, field(1, 1)))
profile += field(5, field(1, 1) + field(2, 3)) + b"".join(field(6, one.encode()) for one in strings)
open(sys.argv[1], "wb").write(gzip.compress(profile))
PYTHON
printf '<!DOCTYPE html>\n<title>page</title>\n' >"$dir/page"
printf '# HELP up It is.\n# TYPE up gauge\nup 1\n' >"$dir/metrics"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
	-addext subjectAltName=DNS:localhost -keyout "$tmp/key" -out "$tmp/certificate" 2>"$err" || fail "no certificate"
chmod 600 "$tmp/key"

python3 -B "$root/tests/e2e/front_sampler.py" "$front" "$dir" "$tmp/certificate" "$tmp/key" >"$tmp/printed" 2>&1 &
sampler=$!
started+=("$sampler")
wait_for test -e "$dir/ready"
read -r pid port tls_port <"$dir/ready"

# ask [CURL'S ARGUMENTS...] URL: sets status to that of HTTP; head and out have what came.
ask() {
	status=$(curl -sS --max-time 60 -D "$tmp/head" -o "$out" -w '%{http_code}' "$@" 2>"$err") || fail "curl $*"
	tr -d '\r' <"$tmp/head" >"$tmp/headers"
}

local_ask() { # PATH [CURL'S ARGUMENTS...]
	ask --unix-socket "$dir/socket" "${@:2}" "http://localhost$1"
}

expect_header() {
	grep -qixF "$1" "$tmp/headers" || fail "no $1 in $(tr '\n' '|' <"$tmp/headers")"
}

# One sentence, in a form that Go's pprof shows.
expect_refusal() { # STATUS PART
	expect_status "$1"
	expect_header "Content-Type: text/plain; charset=utf-8"
	expect_header "X-Go-Pprof: 1"
	expect_header "Cache-Control: no-store"
	[ "$(wc -l <"$out")" -eq 1 ] || fail "it is not one line"
	grep -q "$2" "$out" || fail "it does not say $2"
}

# asked FILTER: what the sampler was asked last.
asked() {
	tail -n 1 "$dir/requests" | jq -r "$1"
}

nr_asked() {
	wc -l <"$dir/requests"
}

# ---- what there is ----

local_ask "/debug/pprof/profile?seconds=2&comm=php*&pid=12&container=a%20b&cgroup=/x&slices=1&debug=1"
expect_status 200
cmp -s "$out" "$dir/profile" || fail "other bytes than the sampler's"
expect_header "Content-Type: application/octet-stream"
expect_header 'Content-Disposition: attachment; filename="profile"'
expect_header "X-Content-Type-Options: nosniff"
expect_header "Cache-Control: no-store"
expect_header "Content-Length: $(stat -c %s "$dir/profile")"
[ "$(asked '[.subject, .uid, .duration_ns, .comm, .pid, .container, .cgroup, .slices, .token] | @csv')" = \
	'"profile",0,2000000000,"php*",12,"a b","/x",1,""' ] || fail "asked $(tail -n 1 "$dir/requests")"
[ "$(tail -n 1 "$dir/requests" | grep -o '"ago_ns": [0-9]*')" = '"ago_ns": 18446744073709551615' ] || fail "not from now on"

local_ask "/debug/pprof/off-cpu?ago=5m&seconds=30"
[ "$(asked '[.event, .ago_ns, .duration_ns] | @csv')" = '"off-cpu",300000000000,30000000000' ] || fail "asked else"
local_ask "/debug/pprof/delta_profile?client=parca"
[ "$(asked '[.subject, .client] | @csv')" = '"delta","parca"' ] || fail "asked else"
local_ask /metrics
expect_header "Content-Type: text/plain; version=0.0.4; charset=utf-8"
cmp -s "$out" "$dir/metrics" || fail "other metrics"
local_ask /
expect_header "Content-Type: text/html; charset=utf-8"
expect_header "X-Frame-Options: DENY"
expect_header "Referrer-Policy: no-referrer"
[ "$(asked '[.subject, .ago_ns] | @csv')" = '"page",30000000000' ] || fail "asked else"
cmp -s "$out" "$dir/page" || fail "another page"
before=$(nr_asked)
local_ask /debug/pprof/
expect_status 200
grep -q delta_profile "$out" || fail "the list lacks what there is"
local_ask /metrics -I
expect_status 200
expect_header "Content-Length: $(stat -c %s "$dir/metrics")"
local_ask /metrics --http1.0
expect_status 200
ask --unix-socket "$dir/second" http://anything.example/metrics
expect_status 200
[ "$(nr_asked)" -eq "$((before + 3))" ] || fail "the sampler was asked for the list"

# On one connection, one after the other.
curl -sS --max-time 60 --unix-socket "$dir/socket" -o "$tmp/one" -o "$tmp/two" -o "$tmp/three" \
	-w '%{num_connects} ' http://localhost/metrics http://localhost/nothing "http://localhost/debug/pprof/profile" >"$out" 2>"$err"
[ "$(cat "$out")" = '1 0 0 ' ] || fail "a connection is not kept"
cmp -s "$tmp/three" "$dir/profile" || fail "other bytes on a connection that is kept"

# More than any buffer holds.
mv "$dir/page" "$tmp/page"
head -c 9000000 /dev/urandom >"$dir/page"
local_ask /
cmp -s "$out" "$dir/page" || fail "what is large comes out otherwise"
ask --cacert "$tmp/certificate" -u x:secret-token "https://localhost:$tls_port/"
cmp -s "$out" "$dir/page" || fail "what is large comes out otherwise by TLS"
mv "$tmp/page" "$dir/page"

# ---- what is refused ----

local_ask /debug/pprof/no-such
expect_refusal 404 "off-cpu is not sampled; start serve with --waits"
local_ask "/debug/pprof/delta_profile?client=broken"
expect_refusal 500 "the sampler"
before=$(nr_asked)
local_ask /nothing
expect_refusal 404 '"/nothing"'
local_ask /debug/pprof/profile -X POST
expect_refusal 405 GET
expect_header "Allow: GET, HEAD"
local_ask /debug/pprof/delta_profile -I
expect_status 405
local_ask /metrics -d body
expect_refusal 413 body
while read -r query part; do
	local_ask "/debug/pprof/profile?$query"
	expect_refusal 400 "$part"
done <<-EOF_
	seconds=many seconds
	seconds=2001 2000 s
	ago=soon ago
	at=25:00:00 at
	pid=x pid
	client=a/b client
	comm=%00 control
	comm=%1b%5B31m control
	token=secret-token Authorization
EOF_
local_ask /metrics -H 'Origin: http://evil.example'
expect_refusal 403 another
local_ask /metrics -H 'Sec-Fetch-Site: cross-site'
expect_refusal 403 another
local_ask /metrics -H "Authorization: Bearer $(printf '%0128d' 0)"
expect_refusal 401 token
[ "$(nr_asked)" -eq "$before" ] || fail "the sampler was asked what could not be answered"

# ---- who asks ----

setpriv --reuid=4242 --clear-groups curl -sS --max-time 60 --unix-socket "$dir/socket" http://localhost/metrics >"$out" 2>"$err"
[ "$(asked .uid)" = 4242 ] || fail "uid $(asked .uid), not 4242"
local_ask /metrics -u anybody:secret-token
[ "$(asked '[.uid, .token] | @csv')" = '0,"secret-token"' ] || fail "the token does not arrive"
local_ask /metrics -H 'Authorization: Bearer another-token'
expect_refusal 401 "not that of this sampler"

tcp=http://127.0.0.1:$port
before=$(nr_asked)
for path in / /metrics /nothing /debug/pprof/ /debug/pprof/profile "/debug/pprof/profile?seconds=x"; do
	ask "$tcp$path"
	expect_refusal 401 token
	expect_header 'WWW-Authenticate: Basic realm="topstacks", charset="UTF-8"'
	expect_header 'WWW-Authenticate: Bearer realm="topstacks"'
	ask "$tcp$path" -X DELETE
	expect_refusal 401 token
done
[ "$(nr_asked)" -eq "$before" ] || fail "the sampler was asked for a stranger"
for path in / /metrics /nothing /debug/pprof/ /debug/pprof/profile "/debug/pprof/profile?seconds=x"; do
	ask -u x:wrong-token "$tcp$path"
	expect_refusal 401 "not that of this sampler"
done
ask -H 'Authorization: Bearer secret-token' "$tcp/metrics"
expect_status 200
[ "$(asked .uid)" = 4294967295 ] || fail "who asks by TCP has a uid"
ask -u x:secret-token "$tcp/nothing"
expect_refusal 404 nothing
ask -u x:secret-token "$tcp/debug/pprof/profile?seconds=x"
expect_refusal 400 seconds
ask -u x:secret-token "$tcp/debug/pprof/"
expect_status 200
for host in evil.example "evil.example:$port" 127.0.0.1.evil.example; do
	ask -u x:secret-token -H "Host: $host" "$tcp/metrics"
	expect_refusal 421 localhost
done
for host in "localhost:$port" 127.0.0.1 '[::1]:80'; do
	ask -u x:secret-token -H "Host: $host" "$tcp/metrics"
	expect_status 200
done

# ---- TLS ----

tls=(--cacert "$tmp/certificate" -u x:secret-token)
ask "${tls[@]}" "https://localhost:$tls_port/debug/pprof/profile?seconds=1"
expect_status 200
cmp -s "$out" "$dir/profile" || fail "other bytes by TLS"
ask "${tls[@]}" -H 'Host: profiles.example' "https://localhost:$tls_port/metrics"
expect_status 200
ask --cacert "$tmp/certificate" "https://localhost:$tls_port/metrics"
expect_refusal 401 token
! curl -sS --max-time 60 "${tls[@]}" --tls-max 1.1 "https://localhost:$tls_port/metrics" >"$out" 2>"$err" || fail "TLS 1.1"
! curl -sS --max-time 60 -u x:secret-token "http://localhost:$tls_port/metrics" >"$out" 2>"$err" || fail "no TLS at all"

# ---- Go's pprof ----

export GOCACHE=$tmp/cache GOFLAGS=-mod=mod GO111MODULE=off HOME=$tmp PPROF_TMPDIR=$tmp
go_pprof() {
	go tool pprof -symbolize=none -top "$@" >"$out" 2>"$err" || fail "go tool pprof $*"
	grep -q '7 .*100%.* served_here' "$out" || fail "not what the sampler sent"
}
go_pprof "http://x:secret-token@127.0.0.1:$port/debug/pprof/profile?seconds=1"
go_pprof -seconds 3 "http://x:secret-token@127.0.0.1:$port"
[ "$(asked .duration_ns)" = 3000000000 ] || fail "asked for another time than -seconds"
! go tool pprof -top -seconds 1 "127.0.0.1:$port" >"$out" 2>"$err" || fail "without a token"
grep -q 'send it as "Authorization: Bearer' "$err" || fail "Go does not show the sentence"

# ---- what it may do ----

value_of() {
	awk -v name="$1:" '$1 == name { print $2 }' "/proc/$pid/status"
}
for name in CapInh CapPrm CapEff CapAmb; do
	[ "$(value_of "$name")" = 0000000000000000 ] || fail "$name is $(value_of "$name")"
done
[ "$(value_of Seccomp)" = 2 ] && [ "$(value_of NoNewPrivs)" = 1 ] || fail "there is no filter"
[ "$(value_of Uid)" -ge 65534 ] || fail "it is somebody: $(value_of Uid)"
[ "$(value_of Threads)" = 1 ] || fail "it has threads"
[ "$(stat -c %U "/proc/$pid/environ")" = root ] || fail "its user may look into its memory"
[ "$(readlink "/proc/$pid/root")" != / ] || fail "it has files"
grep -q '^Max core file size *0 *0' "/proc/$pid/limits" || fail "it may dump core"

# Libraries that speak to networks are where they are needed, and nowhere else.
links() { # PROGRAM PATTERN
	ldd "$build/$1" >"$tmp/libraries" || fail "ldd $1"
	grep -qE "$2" "$tmp/libraries"
}
! links topstacks 'curl|gnutls|microhttpd|libssl' || fail "the sampler has libraries for networks"
links topstacks-front microhttpd && links topstacks-push curl || fail "the test sees no libraries"
! links topstacks-front curl || fail "the front end can send"
! links topstacks-push microhttpd || fail "who sends can serve"

# It ends with the sampler, and not before.
kill -INT "$pid"
kill -TERM "$pid"
local_ask /metrics
expect_status 200
kill -TERM "$sampler"
wait_for test -s "$dir/ended"
[ "$(cat "$dir/ended")" = 0 ] || fail "it ended with $(cat "$dir/ended")"
! grep -q 'secret-token' "$tmp/printed" || fail "the token was printed"
[ ! -s "$tmp/printed" ] || fail "it printed $(cat "$tmp/printed")"

# Whoever starts it by hand is told so.
"$front" >"$out" 2>"$err" && fail "it goes on without a sampler"
expect_err 'a part of "topstacks serve"'
pass
