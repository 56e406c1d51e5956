#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# No sample is skipped while the maps are drained, though the drain runs on the CPU that is sampled:
# an oracle counts the timer fires of the same event on its own. What is skipped while new stacks
# are read by system call stays within the time that takes.
. "$(dirname "$0")/lib.sh"

# Known stacks: after the first interval nothing is new, and everything is counted.
taskset -c 0 "$workloads/stacks" 6 60 >/dev/null &
pid=$!
started+=("$pid")
oracle 4987 -p "$pid" -i 0.2 -d 4
check "$tmp/fires" <<'PYTHON'
fires = truths(args[0])["fires"]
expect_at_least("timer fires", fires, 10000)
events = sum(i["ledger"]["events"] for i in run.intervals)
read_s = sum(i["ledger"]["stacks_read_s"] for i in run.intervals)
# A timer due while a stack is read is skipped; each read may meet one.
reads = sum(i["ledger"]["stacks_read"] for i in run.intervals)
expect_at_most("skipped", fires - events, min(reads, 4987 * read_s + 6 * math.sqrt(4987 * read_s) + 1))
expect_at_least("skipped", fires - events, 0)
PYTHON
kill "$pid"

# New stacks all the time: none is read by system call where tables unwind, and next to none skipped.
taskset -c 0 "$workloads/stacks" 13 60 >/dev/null &
pid=$!
started+=("$pid")
oracle 4987 -U -p "$pid" -i 1 -d 4
check "$tmp/fires" <<'PYTHON'
fires = truths(args[0])["fires"]
events = sum(i["ledger"]["events"] for i in run.intervals)
reads = sum(i["ledger"]["stacks_read"] for i in run.intervals)
expect_at_least("samples", run.counted, 500)
if run.intervals[0]["unwinding"] == "unwind tables":
    expect_at_most("stacks read", reads, 20)
    # Putting fresh maps and tables in place takes some 40 calls of a few us: one timer in all, or none.
    expect_at_most("skipped", fires - events, reads + 5)
PYTHON

# Along frame pointers skipped samples stay within what reading them explains.
oracle 4987 --unwind fp -p "$pid" -i 1 -d 4
check "$tmp/fires" <<'PYTHON'
fires = truths(args[0])["fires"]
events = sum(i["ledger"]["events"] for i in run.intervals)
read_s = sum(i["ledger"]["stacks_read_s"] for i in run.intervals)
expect_at_least("stacks read", sum(i["ledger"]["stacks_read"] for i in run.intervals), 1000)
expect_at_most("skipped", fires - events, 4987 * read_s + 6 * math.sqrt(4987 * read_s) + 1)
expect_at_least("skipped", fires - events, 0)
PYTHON
pass
