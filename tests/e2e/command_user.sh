#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --user runs the command as somebody else, without our rights.
. "$(dirname "$0")/lib.sh"

cp "$workloads/shares" "$tmp/"
nobody=$(id -u nobody)
json -F 999 --user nobody -- sh -c 'id -u >&2; id -G >&2; grep CapEff /proc/self/status >&2; exec "$0" 1 >/dev/null' "$tmp/shares"
[ "$(sed -n 1p "$err")" = "$nobody" ] || fail "ran as $(sed -n 1p "$err")"
sed -n 2p "$err" | grep -qvw 0 || fail "in groups $(sed -n 2p "$err")"
grep -q 'CapEff:.0000000000000000' "$err" || fail 'capabilities are left'
check <<'PYTHON'
expect_at_least("samples in shares", run.count(lambda s: s.comm == "shares" and s.has("main")), 20)
PYTHON

top --user no-such-user -- true
expect_status 125
expect_err 'no-such-user'

status=0
setpriv --bounding-set=-setuid,-setgid "$topstacks" --user nobody -- true >"$out" 2>"$err" || status=$?
expect_status 125
expect_err '^topstacks: cannot run "true" as the user that --user names: operation not permitted$'
pass
