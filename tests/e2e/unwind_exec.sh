#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A command has its tables soon after its exec, and each program of a chain of execs its own: no stack
# mixes two of them, and hardly any is not whole.
. "$(dirname "$0")/lib.sh"

json -F 999 -i 1 --once -- sh -c 'exec "$0" 3 >/dev/null' "$workloads/frameless"
check <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(30))
expect_at_least("share of whole stacks", run.whole / run.counted, 0.95)
PYTHON

json -F 999 -i 5 -- sh -c 'exec >/dev/null; "$0" 1; "$0" 1; exec "$0" 1' "$workloads/frameless"
check <<'PYTHON'
frameless = [sample for sample in run.samples if sample.comm == "frameless"]
expect_at_least("samples", sum(sample.count for sample in frameless), run.enough(50))
expect_eq("processes", len(run.pids) >= 3, True)
whole = sum(sample.count for sample in frameless if sample.has("main") or sample.has("in_thread"))
expect_at_least("share that reach main or the thread",
                whole / sum(sample.count for sample in frameless), 0.93)
PYTHON

# All of it in system mode, where tables are loaded after the first drain that shows a process.
start frameless 20
json -a -F 499 -i 2.5 -d 5
check "$pid" <<'PYTHON'
last = [sample for sample in run.intervals[-1]["samples"] if sample["pid"] == int(args[0])]
total = sum(sample["count"] for sample in last)
rooted = sum(sample["count"] for sample in last
             if {"main", "in_thread"} & {frame.get("function") for frame in sample["frames"]})
expect_at_least("samples of the workload", total, run.enough(30))
expect_at_least("share that reach main or the thread", rooted / total, 0.99)
PYTHON
pass
