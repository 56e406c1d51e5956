#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# doctor: as root, here, all that is needed is there.
. "$(dirname "$0")/lib.sh"

top doctor
expect_status 0
for word in BTF perf_event_max_stack perf_event_max_sample_rate cap_perfmon; do
	grep -qi "$word" "$out" || fail "nothing about $word"
done

# A program of the name that the launcher of JVMs has is told what to do.
cp "$(command -v sleep)" "$tmp/java"
"$tmp/java" 100 &
started+=($!)
named() { [ "$(cat "/proc/$1/comm")" = java ]; }
wait_for named $!
top doctor
grep -qE "of the name java:.* $!(,|$)" "$out" || fail "nothing about the Java program $!"
grep -q -- --java-names "$out" || fail 'nothing about --java-names'
top doctor --json
python3 -c 'import json, sys; assert int(sys.argv[2]) in json.load(open(sys.argv[1]))["java"]' "$out" $! || fail "not in JSON"
pass
