#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# topstacks-serve.service and topstacks-push.service as they are installed: systemd understands them, calls them
# well confined, and their filters have every system call that is made with the capabilities that they have.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/units.sh"
. "$(dirname "$0")/serving.sh"
. "$(dirname "$0")/pushing.sh"

install_units install install-fleet
expect_confined topstacks-serve 20
expect_confined topstacks-push 13
[ -x "$prefix/libexec/topstacks/topstacks-front" ] || fail 'no front end where the program looks for it'
[ "$(value topstacks-serve PrivateNetwork)" = yes ] || fail 'what samples has a network'
[ "$(capabilities_of topstacks-serve | tr -cd + | wc -c)" -eq 6 ] || fail 'not six capabilities'
[ "$(capabilities_of topstacks-push)" = -all ] || fail 'what sends has capabilities'

# What is installed, with the front end that it finds, answers and writes.
mkdir "$tmp/state" "$tmp/run"
chown nobody "$tmp/state" "$tmp/run"
socket=$tmp/run/serve.sock
options=$(value topstacks-serve Environment | sed 's/"//g; s/SERVE_OPTIONS=//')
start shares 1000
# shellcheck disable=SC2086 # options are several words, for systemd too
(as_unit topstacks-serve "$prefix/bin/topstacks" serve --listen "unix:$socket" --spool "$tmp/state" --spool-period 1 --slice 1 \
	$options) >"$tmp/serve.out" 2>"$err" &
serve_pid=$!
started+=("$serve_pid")
wait_for answers
wait_for eval '[ -s "$socket.token" ]'
token=$(<"$socket.token")
# Traced, whoever reads symbols may be late.
names_are_there() {
	asked "/debug/pprof/profile?seconds=1" "$tmp/one" && "$topstacks" report --format folded "$tmp/one" >"$tmp/folded" &&
		grep -q ';share_40' "$tmp/folded"
}
wait_for names_are_there
wait_for eval '[ "$(find "$tmp/state" -name "*.pb.gz" | wc -l)" -ge 2 ]'
pkill -INT -P "$(pgrep -P "$serve_pid" strace)" topstacks || fail 'serve has ended'
wait "$serve_pid" || true
expect_allowed topstacks-serve topstacks

# What it wrote is sent, with a token as systemd hands it over: of a group, where it is of an access list.
mkdir "$tmp/server" "$tmp/sent"
chown nobody "$tmp/sent"
start_server
export CREDENTIALS_DIRECTORY=$tmp/credentials
install -D -m 440 -g nogroup <(echo SECRET) "$CREDENTIALS_DIRECTORY/token"
install -m 440 -g nogroup <(echo SECRET) "$tmp/elsewhere"
(as_unit topstacks-push "$prefix/bin/topstacks-push" "$tmp/state" --to "$url" --state "$tmp/sent" --once --token-file "$tmp/elsewhere") \
	>"$out" 2>"$err" && fail 'a token that others may read was taken'
(as_unit topstacks-push "$prefix/bin/topstacks-push" "$tmp/state" --to "$url" --state "$tmp/sent" --once \
	--token-file "$CREDENTIALS_DIRECTORY/token") >"$out" 2>"$err" ||
	fail 'nothing was sent'
[ "$(python3 "$helper" sum "$tmp/server")" -gt 0 ] || fail 'no sample arrived'
expect_allowed topstacks-push topstacks-push
pass
