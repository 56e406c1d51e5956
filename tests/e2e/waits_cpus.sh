#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# With -C, waits of threads that left one of these CPUs are sampled, and those that left another are filtered. The time
# of both is in the account.
. "$(dirname "$0")/lib.sh"

[ "$(nproc --all)" -ge 2 ] || skip "one CPU"

for number in 0 1; do
	start pinned 1200 0 1
	from_rest_to_rest "$pid" -e off-cpu -C "$number" -i 0.5
	check "$output" "$number" <<'PYTHON'
expect_known(run)
truth = truths(args[0])
ours, others = (truth[f"wait_on_{number}"] for number in (int(args[1]), 1 - int(args[1])))
ended, ns = (
    sum(getattr(sample, value) for sample in run.samples if sample.has(f"wait_on_{args[1]}") and sample.is_blocked)
    for value in ("count", "ns")
)
missed = unseen(run, ours["switches"])
expect_at_least("waits of its thread", ours["switches"], 300)
expect_near("waits of its thread", ended, ours["switches"], missed + 2)
expect_at_most("ns of its thread", ns, ours["most_ns"])
# What it is woken and waits for a CPU has samples of its own.
in_all = run.ns(lambda sample: sample.has(f"wait_on_{args[1]}"))
expect_at_least("ns of its thread", in_all, 0.99 * ours["least_ns"] - 20e3 * ours["switches"] - run.unknown_ns)
expect_eq("waits on the other CPU", run.with_function(f"wait_on_{1 - int(args[1])}"), 0)
expect_eq("ns on the other CPU", run.ns(lambda sample: sample.has(f"wait_on_{1 - int(args[1])}")), 0)
expect_at_least("filtered", run.filtered, others["switches"] - missed)
expect_at_least("blocked, ns", run.blocked_ns + run.runnable_ns, ours["least_ns"] + others["least_ns"] - run.unknown_ns)
PYTHON
	stop "$pid"
done
pass
