#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --threads: rows by thread id, of threads that are there and of threads to come, each with the share
# of samples that it has of the CPU time.
. "$(dirname "$0")/lib.sh"

json --threads -F 4999 -i 60 -- sh -c 'exec "$1" 4 0 2 >"$2"' sh "$workloads/threads" "$tmp/truth"
check "$tmp/truth" <<'PYTHON'
truth = truths(args[0])["threads"]
counts = {tid: run.count(lambda s: s.tid == int(tid) and s.has("thread_work")) for tid in truth}
expect_shares(counts, truth)
expect_eq("pids of thread_work", len({s.pid for s in run.samples if s.has("thread_work")}), 1)
PYTHON

start threads 1 3 20
top_start --json --threads -p "$pid" -F 999 -i 0.2
wait_intervals 1
kill -USR1 "$pid"
all_run() {
	python3 - "$out" <<'PYTHON'
import json, sys
samples = [sample for line in open(sys.argv[1]) for sample in json.loads(line)["samples"]]
sys.exit(len({s["tid"] for s in samples if "thread_work" in [f.get("function") for f in s["frames"]]}) < 4)
PYTHON
}
wait_for all_run
top_end
stop "$pid"
check "$output" <<'PYTHON'
expected = {int(tid) for tid in truths(args[0])["threads"]}
expect_eq("threads with samples", {s.tid for s in run.samples if s.has("thread_work")}, expected)
PYTHON

# Without it they are one.
start threads 2 0 20
json -p "$pid" -F 999 -d 1 -i 1
check <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(100))
expect_eq("thread ids", {sample.tid for sample in run.samples}, {None})
PYTHON
pass
