# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Sourced after lib.sh by tests of "topstacks serve".
#
#	serve -p "$pid" --slice 1          # until it answers; sets serve_pid, socket and token
#	ask "/debug/pprof/profile?ago=5s" FILE    # with the token; sets status_of_http
#	end_serve

[ -x "$build/topstacks-front" ] || skip "topstacks-front is not built: make fleet"
command -v curl >/dev/null || skip "no curl"

socket=$tmp/serve.sock

# serve ARGUMENTS...
serve() {
	top_start serve --listen "unix:$socket" "$@"
	serve_pid=$top_pid
	wait_for answers
	[ ! -e "$socket.token" ] || token=$(<"$socket.token")
}

free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Whatever it says: there is a front end.
answers() {
	curl -s -o /dev/null --unix-socket "$socket" http://localhost/metrics || ! kill -0 "$serve_pid"
}

# ask PATH FILE CURL-ARGUMENTS...
ask() {
	status_of_http=$(curl -s -m 100 -o "$2" -w '%{http_code}' --unix-socket "$socket" \
		-H "Authorization: Bearer $token" "${@:3}" "http://localhost$1") || status_of_http=none
}

# asked PATH FILE: and there is an answer.
asked() {
	ask "$@"
	[ "$status_of_http" = 200 ] || fail "$1: status $status_of_http: $(head -c 300 "$2")"
}

# How many samples there are in a profile.
count_in() {
	"$topstacks" report --format json "$1" | jq '[.samples[].count] | add // 0'
}

end_serve() {
	kill -INT "$serve_pid"
	status=0
	wait "$serve_pid" || status=$?
	expect_status 0
}
