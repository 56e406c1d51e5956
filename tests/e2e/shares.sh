#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions get the share of samples that their share of CPU time is, whether the program is started
# by us or was there before.
. "$(dirname "$0")/lib.sh"

json -F 4999 -i 60 -- sh -c 'exec "$1" 2.5 >"$2"' sh "$workloads/shares" "$tmp/truth"
check "$tmp/truth" <<'PYTHON'
truth = truths(args[0])["functions_ns"]
expect_shares({name: run.with_function(name) for name in truth}, truth)
PYTHON

# Before the start and after the end the truth is asked for: the samples lie between.
start shares 20
kill -USR1 "$pid"
wait_for grep -q process_ns "$output"
json -p "$pid" -F 4999 -i 1 -d 3
stop "$pid"
check "$output" <<'PYTHON'
first, last = (json.loads(line)["functions_ns"] for line in open(args[0]) if line[0] == "{")
truth = {name: last[name] - first[name] for name in first}
expect_eq("pids", len(run.pids), 1)
expect_eq("comms", {sample.comm for sample in run.samples}, {"shares"})
expect_shares({name: run.with_function(name) for name in truth}, truth)
PYTHON
pass
