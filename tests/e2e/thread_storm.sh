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
# The process's clock stops for a thread when it takes leave, before its last instruction.
clocks_s = run.intervals[0]["cpus"] * TICK_S
expect_at_least("CPU time in the ledger, s", run.ran_s, seconds - clocks_s)
expect_at_most("CPU time in the ledger, s", run.ran_s, seconds + clocks_s + ENDING_S * tasks)

# The account runs beside the samples all the time. One thread's life forgotten would be a dip that
# stands still until it is made up for; a life counted twice would be a jump.
ran = sampled = 0
period = 1 / run.intervals[0]["asked_hz"]
for number, interval in enumerate(run.intervals):
    ran += interval["ledger"]["coverage"]["ran_s"]
    sampled += interval["ledger"]["coverage"]["sampled_s"]
    allowed = STOLEN * ran + READING_S + interval["cpus"] * TICK_S + chance_s(period, ran / period + 1)
    expect_near(f"CPU time sampled until interval {number}, s", sampled, ran, allowed)
PYTHON
}

storm 4 1000 0.01
check <<'PYTHON'
expect_at_least("intervals", len(run.intervals), 50)
PYTHON
storm 32 2 0.2
pass
