#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A wait that lasts while ever new stacks fill its memory, and drain after drain empties it, keeps its frames.
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2016 # for another shell
json -e off-cpu -i 0.2 --max-memory 8M -- sh -c '"$1/blocked" 1 40 >"$2" & exec "$1/stacks" 13 3 50 nap >"$2"' sh \
	"$workloads" "$tmp/truth"
check <<'PYTHON'
expect_at_least("intervals", len(run.intervals), 10)
distinct = {tuple(sample.functions) for sample in run.samples if sample.has("leaf")}
expect_at_least("other stacks", len(distinct), 2000)
blocked = ("block_in_pause", "block_in_futex", "block_in_read")
for number, interval in enumerate(run.intervals[2:-1], start=2):
    samples = [sample for sample in map(Sample, interval["samples"]) if sample.has("run_blocking")]
    length_ns = max(sample.ns for sample in samples)
    for function in blocked:
        mine = [sample for sample in samples if sample.has(function)]
        expect_eq(f"stacks of {function} in interval {number}", len(mine), 1)
        expect_near(f"ns of {function} in interval {number}", mine[0].ns, length_ns, 1000)
        expect_eq("frames of descend", mine[0].functions.count("descend"), 40)
    nameless = [sample for sample in map(Sample, interval["samples"]) if sample.comm == "blocked" and not sample.frames]
    expect_eq(f"waits without a stack in interval {number}", len(nameless), 0)
PYTHON
pass
