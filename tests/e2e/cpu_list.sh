#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -C samples the CPUs named and no other; how long the target ran on them is nowhere to be read, and
# nothing is said of it.
. "$(dirname "$0")/lib.sh"

[ "$(nproc)" -gt 1 ] || skip 'one CPU only'
start shares 30
first=$pid
start shares 30
taskset -p 1 "$first" >/dev/null
taskset -p 2 "$pid" >/dev/null
for cpu in 0 1; do
	json -p "$first,$pid" -C "$cpu" -F 999 -i 1 -d 1
	check "$([ "$cpu" = 0 ] && echo "$first" || echo "$pid")" <<'PYTHON'
expect_at_least("samples", run.counted, 1)
expect_eq("pids", run.pids, {int(args[0])})
expect_eq("CPUs", run.intervals[0]["cpus"], 1)
coverage = run.intervals[0]["ledger"]["coverage"]
expect(not coverage["measured"], "coverage claims to be measured")
PYTHON
done

# Neither at once nor from a file is one told that a program did not run that runs elsewhere.
unmeasured="^coverage   not measured: with -C"
top -p "$pid" -C 0 -F 999 -i 0.3 -d 0.3
expect_status 0
grep -q "$unmeasured" "$out" || fail 'coverage is said to be something'
grep -q '^no samples: the target did not run on the CPUs of -C' "$out" || fail 'no word of -C'
top record -q -p "$pid" -C 1 -F 999 -d 0.3 -o "$tmp/run.pb.gz"
expect_status 0
top report "$tmp/run.pb.gz"
grep -q "$unmeasured" "$out" || fail 'the file does not know that coverage was not measured'
pass
