#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Without rights: one sentence that names them, exit status 3. No text of libraries.
. "$(dirname "$0")/lib.sh"

cp "$topstacks" "$tmp/topstacks"
topstacks=$tmp/topstacks
as_nobody() {
	status=0
	timeout --signal=KILL 20 setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
		"$topstacks" "$@" >"$out" 2>"$err" </dev/null || status=$?
}
as_nobody -a -d 1
expect_status 3
expect_err 'cap_bpf'
expect_err 'cap_perfmon'
! grep -qi libbpf "$err" || fail 'text of a library'
[ "$(wc -l <"$err")" -eq 1 ] || fail 'more than one line'
[ ! -s "$out" ] || fail 'text on standard output'

as_nobody -- true
expect_status 125

as_nobody --help
expect_status 0
as_nobody doctor
grep -qi cap_bpf "$out" || fail 'doctor does not name what is missing'
pass
