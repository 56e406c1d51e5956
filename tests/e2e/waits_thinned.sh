#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Where --max-overhead has stacks of one switch in k walked, the account of time is exact all the same, in each interval
# and by state; and many short waits keep their share of the time beside few long ones.
. "$(dirname "$0")/lib.sh"

start lengths 6500 8
from_rest_to_rest "$pid" -e off-cpu -i 0.25 --threads --max-overhead 0.05
expect_err 'sampling one in [0-9]+ of what is counted from here on, to stay within --max-overhead 0.05'
check "$output" <<'PYTHON'
import collections

def by_state(samples):
    states = collections.Counter()
    for sample in samples:
        states.update(Sample(sample).states)
    return states

expect_known(run)
thinned = [interval for interval in run.intervals if interval.get("one_in", 1) > 1]
expect_at_least("intervals of one in k", len(thinned), 4)
for interval in thinned:
    states, ledger = by_state(interval["samples"]), interval["ledger"]
    expect_eq("blocked less what is in samples, ns", ledger["blocked_ns"] - sum(states[name] for name in BLOCKED), 0)
    expect_eq("runnable less what is in samples, ns", ledger["runnable_ns"] - states["woken"] - states["preempted"], 0)

# By how much the share of one differs from the truth is chance, and each thread tosses coins of its own in each interval.
parts = collections.defaultdict(collections.Counter)
for number, interval in enumerate(run.intervals):
    for sample in map(Sample, interval["samples"]):
        for name in ("wait_short", "wait_long"):
            parts[number, sample.tid][name] += sample.ns if sample.has(name) else 0
short, long = (truths(args[0])[name] for name in ("wait_short", "wait_long"))

def errors_from(share):
    each = [part["wait_short"] - share * part.total() for part in parts.values()]
    return sum(each) / math.sqrt(sum(one * one for one in each))

least = short["least_ns"] / (short["least_ns"] + long["most_ns"])
most = short["most_ns"] / (short["most_ns"] + long["least_ns"])
expect_near("least share that was true", least, 0.5, 0.2)
expect_at_least(f"standard errors from {least:.4f}, the least share of short waits", errors_from(least), -5)
expect_at_most(f"standard errors from {most:.4f}, the most", errors_from(most), 5)
PYTHON
pass
