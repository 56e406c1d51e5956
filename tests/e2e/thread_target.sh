#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -t samples one thread alone; its id given to -p is refused, and -t is named.
. "$(dirname "$0")/lib.sh"

start threads 3 0 20
tid=$(printf '%s\n' "/proc/$pid/task"/* | sed 's|.*/||' | grep -vx "$pid" | sed -n 2p)
json -t "$tid" --threads -F 999 -i 0.5 -d 1.5
check "$pid" "$tid" <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(100))
expect_eq("pids", run.pids, {int(args[0])})
expect_eq("thread ids", {sample.tid for sample in run.samples}, {int(args[1])})
# Three threads share two CPUs: one of them cannot have had more than the time that went by.
expect_at_most("CPU time, s", run.ran_s, 1.1 * run.duration)
PYTHON

top -p "$tid" -d 1
expect_status 2
expect_err "-t $tid"
pass
