#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Against the scheduler's own account, from a rest of all threads to the next: how long they ran and waited for a CPU,
# and how often they gave it up and lost it.
. "$(dirname "$0")/lib.sh"

# account PID FILE: {"NAME": number} of all its threads.
account() {
	{
		cat "/proc/$1"/task/*/schedstat
		cat "/proc/$1"/task/*/status
	} | awk 'NF == 3 && /^[0-9]/ { ran += $1; delayed += $2 }
		/^voluntary/ { given += $2 }
		/^nonvoluntary/ { lost += $2 }
		END { printf "{\"ran\": %.0f, \"delayed\": %.0f, \"given\": %d, \"lost\": %d}\n", ran, delayed, given, lost }' >"$2"
}

for pairs in 0 4; do
	start mixed 1500 "$pairs"
	wait_for all_sleep "$pid"
	account "$pid" "$tmp/before"
	from_rest_to_rest "$pid" -e off-cpu -i 0.3 --save "$tmp/saved"
	"$topstacks" report --format json "$tmp/saved" >"$tmp/stacks"
	account "$pid" "$tmp/after"
	check "$tmp/before" "$tmp/after" "$tmp/stacks" <<'PYTHON'
before, after = truths(args[0]), truths(args[1])
truth = {name: after[name] - before[name] for name in before}
saved = saved_samples(args[2])
switches = truth["given"] + truth["lost"]
expect_at_least("switches", switches, 1000)

def expect_scheduled(what, ours_ns, theirs_ns):
    expect_near(what, ours_ns, theirs_ns, scheduler_tolerance_ns(theirs_ns, switches) + run.unknown_ns)

expect_scheduled("running, ns", run.running_ns, truth["ran"])
expect_scheduled("runnable, ns", run.runnable_ns, truth["delayed"])
expect_near("the ledger's other account, of running, ns", run.scheduled_ns, truth["ran"], 1e6)
expect_near("and of waiting for a CPU, ns", run.delayed_ns, truth["delayed"], 1e6)

# As many waits ended as began: all slept at both ends.
def expect_counted(what, ours, theirs):
    expect_at_most(what, ours, theirs)
    expect_at_least(what, ours, theirs - unseen(run, switches))

expect_known(run)
expect_counted("switches", run.switches, switches)
expect_counted("waits", sum(sample.count for sample in saved if sample.is_blocked), truth["given"])
expect_counted("preemptions", sum(sample.count for sample in saved if "preempted" in sample.states), truth["lost"])
PYTHON
	stop "$pid"
done
pass
