#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Threads that live for a second and end all the time, in intervals of 10 ms: the CPU time
# of the dead is never forgotten nor counted twice, at any moment; then threads of 2 ms.
. "$(dirname "$0")/lib.sh"

storm() {
	json -F 1999 -i "$3" -- sh -c 'exec "$1" "$3" "$4" 4 >"$2"' sh "$workloads/thread_storm" \
		"$tmp/truth" "$1" "$2"
	check "$tmp/truth" "$1" "$2" <<'PYTHON'
truth, threads, life_s = truths(args[0]), int(args[1]), float(args[2]) / 1000
expect_at_least("threads that ended", truth["ended"], threads)
expect_eq("tasks that are not in the account", sum(i["ledger"]["runtime_untracked"] for i in run.intervals), 0)
expect_eq("lost", run.lost, 0)
seconds = truth["process_ns"] / 1e9
tasks = truth["ended"] + threads
# The process's clock stops for a thread when it takes leave, some 20 us before its last instruction.
expect_at_least("CPU time in the ledger, s", run.ran_s, 0.99 * seconds - 0.02)
expect_at_most("CPU time in the ledger, s", run.ran_s, 1.01 * seconds + 0.02 + 100e-6 * tasks)

# The account runs beside the samples all the time. One thread's life forgotten would be a dip that
# stands still until it is made up for; a life counted twice would be a jump. A tick a CPU is not
# yet in the account, and samples vary by their root.
ran = sampled = 0
period = 1 / run.intervals[0]["asked_hz"]
for number, interval in enumerate(run.intervals):
    ran += interval["ledger"]["coverage"]["ran_s"]
    sampled += interval["ledger"]["coverage"]["sampled_s"]
    allowed = 0.02 * ran + 0.03 + 6 * period * math.sqrt(ran / period + tasks)
    expect_near(f"CPU time sampled until interval {number}, s", sampled, ran, allowed)
PYTHON
}

storm 4 1000 0.01
check <<'PYTHON'
expect_at_least("intervals", len(run.intervals), 50)
PYTHON
storm 32 2 0.2
pass
