#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Two threads that compute on one CPU: each is preempted for as large a share of its time as the scheduler says,
# which is half of it, or more on a busy machine. Neither is blocked.
. "$(dirname "$0")/lib.sh"

cpu=$(($(nproc) - 1))
start preempted "$cpu" 60

# TID NS NS lines: what each has run, and waited for the CPU.
delays() {
	local task
	for task in /proc/"$pid"/task/*; do
		echo "${task##*/} $(<"$task/schedstat")"
	done
}

top_start --json -p "$pid" -e off-cpu -i 60 --threads
wait_sampling
delays >"$tmp/before"
sleep 3
delays >"$tmp/after"
top_end
check "$tmp/before" "$tmp/after" <<'PYTHON'
def read(path):
    with open(path, encoding="ascii") as lines:
        return {int(tid): (int(ran), int(delayed)) for tid, ran, delayed, _ in map(str.split, lines)}

before, after = read(args[0]), read(args[1])
expect_eq("threads", len(after), 2)
wall_ns = run.wall_ns / 2
for tid in after:
    ran, delayed = (after[tid][i] - before[tid][i] for i in range(2))
    samples = [sample for sample in run.samples if sample.tid == tid]
    preempted = sum(sample.states.get("preempted", 0) for sample in samples)
    expect_near(f"share of its time that {tid} was preempted", preempted / wall_ns, delayed / (ran + delayed), 0.01)
    expect_at_least(f"share of its time that {tid} was preempted", preempted / wall_ns, 0.48)
    for sample in samples:
        expect("preempted" not in sample.states or sample.has("hog"), f"preempted in {sample.functions}")
expect_at_most("blocked, of all time", run.blocked_ns / run.wall_ns, 0.001)
PYTHON
pass
