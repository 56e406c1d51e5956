#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Clients of the front end that are many, slow, gone, or no clients at all, in the clear and by TLS.
. "$(dirname "$0")/lib.sh"

front=$build/topstacks-front
[ -x "$front" ] || skip "the front end is not built; make fleet builds it"
command -v openssl >/dev/null || skip "openssl is not installed"
dir=$tmp/front
mkdir "$dir"
head -c 300000 /dev/urandom >"$dir/profile"
printf 'page\n' >"$dir/page"
printf 'up 1\n' >"$dir/metrics"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
	-addext subjectAltName=DNS:localhost -keyout "$tmp/key" -out "$tmp/certificate" 2>"$err" || fail "no certificate"

python3 -B "$root/tests/e2e/front_sampler.py" "$front" "$dir" "$tmp/certificate" "$tmp/key" >"$tmp/printed" 2>&1 &
sampler=$!
started+=("$sampler")
wait_for test -e "$dir/ready"
read -r pid _ <"$dir/ready"

python3 -B "$root/tests/e2e/front_clients.py" "$dir" >"$out" 2>"$err" || fail "clients"
awk '$1 == "VmHWM:" && $2 > 32768 { exit 1 }' "/proc/$pid/status" || [ "$build" != "$root/build/release" ] ||
	fail "much memory: $(grep VmHWM "/proc/$pid/status")"
kill -TERM "$sampler"
wait_for test -s "$dir/ended"
[ "$(cat "$dir/ended")" = 0 ] || fail "it ended with $(cat "$dir/ended")"
[ ! -s "$tmp/printed" ] || fail "it printed $(cat "$tmp/printed")"
pass
