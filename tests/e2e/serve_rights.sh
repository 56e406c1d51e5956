#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What each program of the fleet lacks: the sampler sockets and libraries that speak to networks, the front end and
# the pusher all capabilities, files and new privileges.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/serving.sh"

# ---- libraries ----

libraries() {
	ldd "$build/$1" | awk '{ print $1 }'
}
! libraries topstacks | grep -E 'curl|gnutls|ssl|microhttpd' || fail "the sampler is linked with what speaks to networks"
! libraries topstacks-front | grep -E 'curl|libbpf' || fail "the front end is linked with more than it needs"
! libraries topstacks-push | grep -E 'microhttpd|libbpf' || fail "the pusher is linked with more than it needs"

# ---- processes ----

field() {
	awk -v name="$2:" '$1 == name { print $2 }' "/proc/$1/status"
}
has_no_rights() {
	local set
	for set in CapInh CapPrm CapEff CapAmb; do
		[ "$(field "$1" "$set")" = 0000000000000000 ] || fail "$2 has $set $(field "$1" "$set")"
	done
	[ "$(field "$1" NoNewPrivs)" = 1 ] || fail "$2 may get new privileges"
	[ "$(field "$1" Seccomp)" = 2 ] || fail "$2 has no filter"
}
# Inodes of what is open: sockets of PID that are in a table of the kernel's.
listed() {
	local inode
	for inode in $(readlink "/proc/$1/fd/"* | sed -n 's/^socket:\[\([0-9]*\)\]$/\1/p'); do
		awk -v inode="$inode" -v column="$3" 'NR > 1 && $column == inode' "/proc/net/$2"
	done
}

there=127.0.0.1:$(free_port)
echo a-token-that-nobody-guesses >"$tmp/token"
chmod 600 "$tmp/token"
start shares 1000
serve --listen "$there" --token-file "$tmp/token" -p "$pid"
token=$(<"$tmp/token")
keeper=$(pgrep -P "$serve_pid" -x topstacks-keep)
front=$(pgrep -P "$keeper")
wait_for grep -q '^Seccomp:.2' "/proc/$front/status"

# The sampler: capabilities, but no socket that anybody can connect to or that leads anywhere.
[ "$(field "$serve_pid" Seccomp)" = 2 ] || fail "the sampler has no filter"
[ -z "$(listed "$serve_pid" tcp 10)$(listed "$serve_pid" udp 10)" ] || fail "the sampler has a socket of a network"
[ -z "$(listed "$serve_pid" unix 7 | awk '$4 == "00010000"')" ] || fail "the sampler has a listening socket"
[ -n "$(listed "$front" tcp 10)" ] || fail "nobody listens: this test sees nothing"
[ -n "$(listed "$front" unix 7 | awk '$4 == "00010000"')" ] || fail "nobody listens: this test sees nothing"

# The front end: nobody, in an empty place, with nothing but sockets.
has_no_rights "$front" "the front end"
[ "$(field "$front" Uid)" -ne 0 ] || fail "the front end is root"
found=$(find "/proc/$front/root/" -mindepth 1 -maxdepth 1 -not -regex '.*/[0-9]+' 2>/dev/null || true)
[ -z "$found" ] || fail "the front end sees files: $found"
readlink "/proc/$front/fd/"* | grep -vE '^(socket|anon_inode|pipe|/dev/null|/dev/pts/|/memfd)' | grep -v "$err" &&
	fail "the front end has files open"
end_serve

# The pusher, while it waits for a server that is not there.
mkdir "$tmp/spool" "$tmp/state"
top record -q -d 0.2 -a --rotate 1 -o "$tmp/spool"
expect_status 0
"$build/topstacks-push" "$tmp/spool" --to "http://127.0.0.1:$(free_port)" --format pprof --state "$tmp/state" \
	>"$tmp/pushed" 2>&1 &
pusher=$!
started+=("$pusher")
wait_for grep -q '^Seccomp:.2' "/proc/$pusher/status"
has_no_rights "$pusher" "the pusher"
pass
