#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Command lines of processes are in a file only if that was asked for, as they are in /proc.
. "$(dirname "$0")/lib.sh"

bash -c 'while :; do :; done' --password=hunter2 $'an \033[31m escape' &
pid=$!
started+=("$pid")
has_password() {
	gunzip <"$1" | grep -q hunter2
}

top record -q -p "$pid" -F 499 -d 0.5 -o "$tmp/without.pb.gz"
expect_status 0
! has_password "$tmp/without.pb.gz" || fail 'a password in a file'
top -p "$pid" --once -i 0.5 --save "$tmp/saved.pb.gz"
expect_status 0
! has_password "$tmp/saved.pb.gz" || fail 'a password in a file that was saved'

top record -q --command-lines -p "$pid" -F 499 -d 0.5 -o "$tmp/with.pb.gz"
expect_status 0
[ "$(stat -c %a "$tmp/with.pb.gz")" = 600 ] || fail 'others may read it'
top report --format=json "$tmp/with.pb.gz"
python3 - "$out" "/proc/$pid/cmdline" <<'PYTHON' || fail 'see above'
import json, sys
truth = open(sys.argv[2]).read().rstrip("\0").replace("\0", " ")
lines = {sample["command_line"] for sample in json.load(open(sys.argv[1]))["samples"]}
assert lines == {truth}, (lines, truth)
PYTHON
top report --by process "$tmp/with.pb.gz"
grep -qF "bash ($pid)  -c while :; do :; done --password=hunter2 an \\x1b[31m escape" "$out" || fail 'no command line in a row'
top report --by process --width 80 "$tmp/with.pb.gz"
grep -qE "bash \($pid\) +-c while.*…$" "$out" || fail 'it is not cut to the width'
top report --by process "$tmp/without.pb.gz"
grep -qE "bash \($pid\)$" "$out" || fail 'no row, or a command line that nobody asked for'
top report --format=pprof -o "$tmp/again.pb.gz" "$tmp/with.pb.gz"
has_password "$tmp/again.pb.gz" || fail 'it is lost when a profile is written again'
pass
