#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# topstacks serve on TCP: nobody is served without a token, beyond loopback not without TLS; go tool pprof
# and Prometheus come with it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/serving.sh"

there=127.0.0.1:$(free_port)
echo a-token-that-nobody-guesses >"$tmp/token"

refused() {
	top serve "$@"
	expect_status 2
}
chmod 644 "$tmp/token"
refused --listen "$there" --token-file "$tmp/token"
grep -q 'others may read the token' "$err" || fail "not told"
chmod 600 "$tmp/token"
refused --listen "$there"
grep -q 'token-file is needed' "$err" || fail "not told"
refused --listen "0.0.0.0:${there#*:}" --token-file "$tmp/token"
grep -q 'needs TLS' "$err" || fail "not told"
refused --listen nonsense
refused --listen unix:relative
echo short >"$tmp/short"
chmod 600 "$tmp/short"
refused --listen "$there" --token-file "$tmp/short"

start shares 1000
serve --listen "$there" --token-file "$tmp/token" -p "$pid" --slice 1 -F 499 --max-overhead 100
token=$(<"$tmp/token")
[ "$(<"$socket.token")" = "$token" ] || fail "another token beside the socket"

for path in / /metrics "/debug/pprof/profile?ago=1s" /nonsense; do
	code=$(curl -s -o /dev/null -w '%{http_code}' "http://$there$path")
	[ "$code" = 401 ] || fail "$path without a token: $code"
	code=$(curl -s -o /dev/null -w '%{http_code}' -u "x:wrong-token-0123456789" "http://$there$path")
	[ "$code" = 401 ] || fail "$path with another token: $code"
done

if command -v go >/dev/null; then
	export HOME=$tmp PPROF_TMPDIR=$tmp
	go tool pprof -top -seconds 1 "http://x:$token@$there" >"$tmp/pprof" 2>&1 || fail "$(cat "$tmp/pprof")"
	grep -Eq 'Type: (cpu|samples)' "$tmp/pprof" || fail "$(cat "$tmp/pprof")"
	go tool pprof -top "http://x:$token@$there/debug/pprof/profile?ago=3s" >"$tmp/pprof" 2>&1 || fail "$(cat "$tmp/pprof")"
	if go tool pprof -top "http://x:$token@$there/debug/pprof/heap" >"$tmp/pprof" 2>&1; then
		fail "there is no heap"
	fi
	grep -q 'heap is not sampled here' "$tmp/pprof" || fail "$(cat "$tmp/pprof")"
fi

# Prometheus itself, with the token in a file, as its documentation has it.
scraped() {
	curl -s "http://$web/api/v1/query?query=topstacks_samples_total" |
		jq -e '[.data.result[].value[1] | tonumber] | add > 0'
}
if command -v prometheus >/dev/null; then
	web=127.0.0.1:$(free_port)
	cat >"$tmp/prometheus.yml" <<-YAML
		scrape_configs:
		  - job_name: topstacks
		    scrape_interval: 1s
		    authorization: {credentials_file: $tmp/token}
		    static_configs: [{targets: ["$there"]}]
	YAML
	prometheus --config.file="$tmp/prometheus.yml" --storage.tsdb.path="$tmp/tsdb" --web.listen-address="$web" \
		>"$tmp/prometheus.log" 2>&1 &
	started+=("$!")
	wait_for scraped
fi
end_serve
pass
