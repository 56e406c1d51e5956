#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A wait that lasts while ever new stacks fill its memory, and drain after drain empties it, keeps its frames.
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2016 # for another shell
json -e off-cpu -i 0.2 --max-memory 16M -- sh -c '"$1/blocked" 1 40 >"$2" & exec "$1/stacks" 13 3 50 nap >"$2"' sh \
	"$workloads" "$tmp/truth"
check <<'PYTHON'
expect_at_least("intervals", len(run.intervals), 10)
distinct = {tuple(sample.functions) for sample in run.samples if sample.has("leaf")}
expect_at_least("other stacks", len(distinct), 2000)
blocked = ("block_in_pause", "block_in_futex", "block_in_read")
of_blocked = [[s for s in map(Sample, interval["samples"]) if s.comm == "blocked"] for interval in run.intervals]
at_rest = [[s for s in samples if s.count == 0] for samples in of_blocked]
first = min(i for i, samples in enumerate(at_rest) if all(any(s.has(name) for s in samples) for name in blocked))
# They die with the command, an interval or two before the end of the run.
died = min(i for i, samples in enumerate(of_blocked) if i > first and any(s.count and s.has("descend") for s in samples))
expect_at_least("intervals in which they wait", died - 1 - first, 8)
for number, samples in list(enumerate(at_rest))[first + 1 : died]:
    length_ns = max(sample.ns for sample in samples)
    for function in blocked:
        mine = [sample for sample in samples if sample.has(function)]
        expect_eq(f"stacks of {function} in interval {number}", len(mine), 1)
        expect_near(f"ns of {function} in interval {number}", mine[0].ns, length_ns, 1000)
        expect_eq("frames of descend", mine[0].functions.count("descend"), 40)
    expect_eq(f"waits without a stack in interval {number}", sum(not sample.frames for sample in samples), 0)
PYTHON
pass
