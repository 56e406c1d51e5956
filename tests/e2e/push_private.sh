#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What topstacks-push lets out: names of the allow-list and no others, however many users invent, what --dry-run
# has shown before; a token that nobody else may read, over connections to whom it is meant for.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pushing.sh"

# Of what was recorded, names leave, and a bounded number of them; the server looks for the rest.
for format in pyroscope otlp pprof; do
	COMMS=300 STACKS=2000 make_spool 2
	start_server ok
	[ "$format" != pprof ] || url+=/pprof
	push --format "$format" --max-series 20
	end_server
	expect_status 0
	expect_balance
	expect_row sent "$recorded"
	expect_some 'sent as "other"'
	case $format in
	pyroscope)
		[ "$(server_log '[.[].series[]] | unique | length')" -eq 21 ] || fail 'not twenty series and "other"'
		[ "$(server_log '[.[].series[] | keys[]] | unique | join(" ")')" = '__delta__ __name__ comm service_name' ] ||
			fail 'other labels'
		[ "$(server_log '[.[].keys[]] | length')" -eq 0 ] || fail 'labels of samples'
		;;
	otlp)
		[ "$(server_log '[.[].series[]] | unique | length')" -eq 21 ] || fail 'not twenty resources and "other"'
		[ "$(server_log '[.[].series[] | keys[]] | unique | join(" ")')" = service.name ] ||
			fail "other attributes: $(server_log '[.[].series[] | keys[]] | unique | join(" ")')"
		;;
	pprof) [ "$(server_log '[.[].keys[]] | unique | join(" ")')" = comm ] || fail 'other labels' ;;
	esac
done

# --dry-run: the same requests, and nothing is sent or kept.
make_spool 2
start_server ok
push --dry-run
expect_status 0
[ ! -e "$tmp/server/log" ] && [ ! -e "$tmp/state" ] || fail 'a dry run left something'
! grep -q SECRET "$out" || fail 'more than would leave'
for name in function_7 cpu nanoseconds; do
	grep -qx "    $name" "$out" || fail "the name $name is not shown"
done
grep -oE 'service_name="[^"]*" comm="[^"]*" __delta__="[^"]*" __name__="[^"]*": [0-9,]+ samples' "$out" | sort >"$tmp/shown"
push
end_server
server_log '.[] | [.series, .parts] | transpose[] | "service_name=\"\(.[0].service_name)\" comm=\"\(.[0].comm)\" __delta__=\"\(.[0].__delta__)\" __name__=\"\(.[0].__name__)\": \(.[1][1]) samples"' |
	sort >"$tmp/sent"
cmp "$tmp/shown" "$tmp/sent" || fail "the dry run showed something else"

# Tokens: in a file that is its owner's alone, on one line.
make_spool 1
start_server ok
printf 'T0KEN\n' >"$tmp/token"
chmod 640 "$tmp/token"
push --token-file "$tmp/token"
expect_status 2
expect_err 'others may read the token'
chmod 600 "$tmp/token"
push --token-file "$tmp/token" --tenant us
expect_status 0
[ "$(server_log '.[-1] | .authorization + " " + .tenant')" = 'Bearer T0KEN us' ] || fail "$(server_log '.[-1]')"
python3 "$helper" make "$tmp/spool" 2 1 >/dev/null
push --token-file "$tmp/token" --user me --metrics "$tmp/metrics"
[ "$(server_log '.[-1].authorization')" = "Basic $(printf me:T0KEN | base64)" ] || fail "$(server_log '.[-1]')"
! grep -rq T0KEN "$out" "$err" "$tmp/metrics" "$tmp/state" || fail 'the token is told'
printf 'T0KEN\nX-Other: 1\n' >"$tmp/token"
push --token-file "$tmp/token"
expect_status 2
end_server

# Where to: nobody's password in a URL, nothing unencrypted but to this machine, whatever a proxy says.
make_spool 1
for where in http://me:secret@127.0.0.1 https://token@example.org http://192.0.2.1 http://example.org ftp://127.0.0.1 127.0.0.1 \
	http://127.0.0.1.example.org http://0x7f000001.example.org ''; do
	url=$where
	push
	expect_status 2
	! grep -q secret "$err" || fail 'a password is told'
done
start_server ok
export http_proxy=http://127.0.0.1:1 all_proxy=http://127.0.0.1:1
push
unset http_proxy all_proxy
end_server
expect_status 0
expect_row sent "$recorded"

# Certificates are checked.
if command -v openssl >/dev/null; then
	make_spool 1
	openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -days 2 \
		-keyout "$tmp/key" -out "$tmp/certificate" 2>/dev/null
	cat "$tmp/key" "$tmp/certificate" >"$tmp/both"
	certificate=("$tmp/both")
	start_server ok
	push --tries 1
	expect_status 4
	expect_err 'certificate'
	push --tries 1 --ca "$tmp/certificate"
	expect_status 0
	expect_row sent "$recorded"
	expect_balance
	end_server
	certificate=()
fi

# Another user, who may read the spool and nothing else.
make_spool 2
chgrp 4711 "$tmp/spool" "$tmp"/spool/*
chmod 750 "$tmp/spool"
chmod 640 "$tmp"/spool/*
install -d -m 700 -o 65534 "$tmp/state"
start_server ok
status=0
setpriv --reuid 65534 --regid 4711 --clear-groups "$pusher" "$tmp/spool" --to "$url" --state "$tmp/state" --once \
	>"$out" 2>"$err" || status=$?
end_server
expect_status 0
expect_row sent "$recorded"
expect_balance

# Several events are profiles of their own, by names that the server takes.
make_spool 0
top record -q -a -F 199 -e cpu,page-faults --rotate 1 -d 1.5 -o "$tmp/spool/"
expect_status 0
recorded=
start_server ok
for format in pyroscope otlp; do
	rm -rf "$tmp/state" "$tmp/server/log"
	push --format "$format"
	expect_status 0
	expect_row waiting 0
	expect_row rejected 0
	python3 "$helper" balance "$out" "$tmp/server" || fail 'the account above'
	[ "$format" = otlp ] || [ "$(server_log '[.[].series[].__name__] | unique | join(" ")')" = 'page_faults process_cpu' ] ||
		fail 'other names of events'
done
end_server

# Rights: none, also where root runs it; one pusher a state.
make_spool 1
start_server hold
push_start
wait_for grep -q hold "$tmp/server/log"
grep -qE '^CapEff:\s0+$' "/proc/$push_pid/status" || fail 'it has capabilities'
grep -qE '^NoNewPrivs:\s1$' "/proc/$push_pid/status" || fail 'it may get privileges'
grep -qE '^Seccomp:\s2$' "/proc/$push_pid/status" || fail 'it may call anything'
push
expect_status 2
expect_err 'another topstacks-push'
kill -TERM "$push_pid"
push_wait
end_server
expect_status 0
expect_some 'resent, unconfirmed'
expect_row waiting "$recorded"
pass
