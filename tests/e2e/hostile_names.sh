#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Names are the target's to choose: JSON stays JSON, and no output repeats a control character.
. "$(dirname "$0")/lib.sh"

start hostile 20
json -p "$pid" -F 499 -i 0.5 -d 1
check <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(50))
expect("\\" in run.samples[0].comm and '"' in run.samples[0].comm, "the name is lost")
PYTHON

odd=$tmp/$'a"b\\c\nd;e\e[31m\xff'
cp "$workloads/shares" "$odd"
"$odd" 20 >"$tmp/odd.out" &
odd_pid=$!
started+=("$odd_pid")
wait_for grep -q ready "$tmp/odd.out"
json -p "$odd_pid" -F 499 -i 0.5 -d 1
check <<'PYTHON'
expect_at_least("samples in share_40", run.with_function("share_40"), run.enough(10))
PYTHON

for format in --folded --per-process; do
	top "$format" -p "$pid,$odd_pid" -F 499 --once -i 0.5
	expect_status 0
	[ -s "$out" ] || fail "nothing printed with $format"
	! LC_ALL=C grep -q '[[:cntrl:]]' <(tr -d '\n' <"$out") || fail "control characters with $format"
	iconv -f UTF-8 -t UTF-8 "$out" >/dev/null || fail "invalid UTF-8 with $format"
done
top --folded -p "$pid,$odd_pid" -F 499 --once -i 0.5
! grep -vqE '^[^;]+;.* [0-9]+$' "$out" || fail 'a folded line is torn'
pass
