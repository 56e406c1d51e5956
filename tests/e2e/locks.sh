#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# `-e lock` has the address of each lock as the leaf of those that waited for it, and under each function of theirs as
# many contentions, for as long, as the function has counted and measured itself. What waits for no lock is not there.
. "$(dirname "$0")/lib.sh"

start meetings 2000
from_rest_to_rest "$pid" -e lock -i 0.7
check "$output" <<'PYTHON'
expect_known(run)
of_meetings = truths(args[0]).values()
for name, truth in truths(args[0]).items():
    function, leaf = truth["function"], f"[lock {truth['lock']}]"
    if leaf == "[lock 0x0]":
        expect_eq(f"samples in {function}, of no lock", run.count(lambda sample: sample.has(function)), 0)
        continue
    samples = [sample for sample in run.samples if sample.functions[0] == leaf and sample.has(function)]
    contentions, ns = (sum(getattr(sample, value) for sample in samples) for value in ("count", "ns"))
    allowed = 0.01 * truth["least_ns"] + 20e3 * truth["switches"] + run.unknown_ns
    expect_at_least(f"ns of {name}", ns, truth["least_ns"] - allowed)
    expect_at_most(f"ns of {name}", ns, truth["most_ns"])
    expect_at_least(f"contentions of {name}", truth["switches"], 100)
    expect_near(f"contentions of {name}", contentions, truth["switches"], unseen(run, truth["switches"]) + 2)
    for sample in samples:
        expect_eq(f"kind in {name}", sample.wait, "lock")

for function in ("wait_here", "wait_there"):
    locks = {f"[lock {truth['lock']}]" for truth in of_meetings if truth["function"] == function}
    seen = {sample.functions[0] for sample in run.samples if sample.has(function)}
    expect_eq(f"locks that {function} waits for", seen, locks)
PYTHON
pass
