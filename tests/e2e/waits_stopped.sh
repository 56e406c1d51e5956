#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Threads that are stopped have that time as stopped, wherever they waited before.
. "$(dirname "$0")/lib.sh"

is_stopped() {
	! grep -qvE '^[0-9]+ \(.*\) T ' "/proc/$pid"/task/*/stat
}

now() {
	python3 -c 'import time; print(time.monotonic_ns())'
}

start blocked 3 3
wait_for all_sleep "$pid"
top_start --json -p "$pid" -e off-cpu -i 0.1
wait_sampling
before_stop=$(now)
kill -STOP "$pid"
wait_for is_stopped
stopped=$(now)
sleep 1
going_on=$(now)
kill -CONT "$pid"
wait_for all_sleep "$pid"
asleep=$(now)
top_end
check $((10 * (going_on - stopped))) $((10 * (asleep - before_stop))) <<'PYTHON'
stopped = sum(sample.states.get("stopped", 0) for sample in run.samples)
expect_at_least("stopped, ns", stopped, int(args[0]))
expect_at_most("stopped, ns", stopped, int(args[1]))
expect_at_least("blocked, which is what they were before and after, ns", run.blocked_ns - stopped, 1)
expect_eq("unknown, ns", run.unknown_ns, 0)
for sample in run.samples:
    expect("stopped" not in sample.states or sample.has("descend") or sample.has("main"), f"where: {sample.functions}")
PYTHON
pass
