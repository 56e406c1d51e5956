#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every counted sample keeps its stack, however many distinct ones there are, from the first interval
# on; and no stack is a mixture of two.
. "$(dirname "$0")/lib.sh"

for levels in 10 13; do
	start stacks "$levels" 20
	json -p "$pid" -F 4999 -i 2.5 --once
	stop "$pid"
	check "$levels" <<'PYTHON'
levels = int(args[0])
expect_eq("intervals", len(run.intervals), 1)
expect_eq("lost", run.lost, 0)
expect_eq("missing stacks", run.missing, 0)
expect_at_least("samples", run.counted, run.enough(1000))
expect_eq("samples that reach main", run.with_function("main"), run.counted)

# From main down: visit_leaves, root, one of L0 and R0, one of L1 and R1, ..., leaf, spin. While a function is
# being entered or left, its caller has no frame of its own and is missed: one level, rarely.
expected = ["visit_leaves", "root"] + [f"{level}" for level in range(levels)] + ["leaf", "spin"]
gaps, distinct, ends = 0, set(), {"L0": 0, "R0": 0}
for sample in run.samples:
    path = [name for name in reversed(sample.functions) if name]
    path = path[path.index("main") + 1 :]
    shape = [name[1:] if re.fullmatch(r"[LR]\d+", name) else name for name in path]
    places = [expected.index(name) for name in shape if name in expected]
    expect_eq("order in " + ";".join(path), places, sorted(set(places)))
    steps = [after - before for before, after in zip([-1, *places], places)]
    expect(all(step <= 2 for step in steps), "two levels missing in " + ";".join(path))
    gaps += sample.count * (2 in steps)
    if len(places) == len(expected):
        distinct.add(tuple(path))
        ends[path[2]] += sample.count
expect_at_most("samples with a gap", gaps, run.counted // 100)

# Leaves are visited alike, so that n samples hit m (1 - e^(-n/m)) of m stacks.
whole = run.counted - gaps
hit = 2**levels * (1 - math.exp(-whole / 2**levels))
expect_at_least("distinct stacks", len(distinct), 0.97 * hit)
# Beside those that are in a leaf, some are on the way to it, the more the dearer it is to read a clock.
in_leaves = sum(ends.values())
expect_at_least("samples in leaves", in_leaves, run.enough(900))
expect_near("share of R0", ends["R0"] / in_leaves, 0.5, binomial_tolerance(in_leaves, 0.5))
PYTHON
done
pass
