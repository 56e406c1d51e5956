# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Sourced after lib.sh by tests of topstacks-push: a spool, a server that fails as told, and the account of both.

pusher=$build/topstacks-push
[ -x "$pusher" ] || make -s -C "$root" BUILD="$build" fleet
helper=$root/tests/e2e/push_server.py

# make_spool COUNT [AGE_S...]: a new one, or a copy of one like it; sets recorded, how many samples are in it.
make_spool() {
	local made="$tmp/made-${STACKS:-}-${COMMS:-}-$*"
	rm -rf "$tmp/spool" "$tmp/state" "$tmp/server"
	mkdir "$tmp/server"
	if [ ! -e "$made" ]; then
		mkdir "$made"
		python3 "$helper" make "$made" 1 "$1" 1 "${@:2}" >"$made.recorded"
	fi
	cp -r "$made" "$tmp/spool"
	recorded=$(cat "$made.recorded")
}

# start_server [MODE...]: what becomes of the next requests, the last one of all that follow.
start_server() {
	printf '%s\n' "${@:-ok}" >"$tmp/server/modes"
	: >"$tmp/serving"
	python3 "$helper" serve "$tmp/server" "${certificate[@]}" >"$tmp/serving" 2>&1 &
	server_pid=$!
	started+=("$server_pid")
	wait_ready "$server_pid" "$tmp/serving"
	url=http${certificate:+s}://127.0.0.1:$(cat "$tmp/server/port")
}
certificate=()

end_server() {
	kill -KILL "$server_pid" 2>/dev/null || fail "the server is gone: $(cat "$tmp/serving")"
	wait "$server_pid" 2>/dev/null || true
}

# push ARGUMENTS...: to the server, until all is sent or given up; sets status.
push() {
	status=0
	timeout --signal=KILL 100 "$pusher" "$tmp/spool" --to "$url" --state "$tmp/state" --once --retry 0.01 "$@" \
		>"$out" 2>"$err" </dev/null || status=$?
}

push_start() {
	: >"$out"
	"$pusher" "$tmp/spool" --to "$url" --state "$tmp/state" --retry 0.01 --every 0.05 "$@" >"$out" 2>"$err" </dev/null &
	push_pid=$!
	started+=("$push_pid")
}

push_wait() {
	status=0
	wait "$push_pid" || status=$?
}

# row NAME: of the ledger that was printed last; 0 if it has none.
row() {
	local value
	value=$(grep -E "^ *$1 +[0-9,]+$" "$out" | tail -n 1 | grep -oE '[0-9,]+$' | tr -d ,) || true
	echo "${value:-0}"
}

# expect_row NAME NUMBER
expect_row() {
	[ "$(row "$1")" -eq "$2" ] || fail "$1: $(row "$1"), not $2"
}

expect_some() {
	[ "$(row "$1")" -ge 1 ] || fail "$1: none"
}

# The ledger adds up, has all that was recorded, and agrees with the server's own count.
expect_balance() {
	python3 "$helper" balance "$out" "$tmp/server" "$recorded" || fail 'the account above'
}

# server_log JQ-FILTER
server_log() {
	jq -s -r "$1" "$tmp/server/log"
}
