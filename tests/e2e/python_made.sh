#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions that are made and gone, thousands of them, whose code lies where that of others was: each sample has the name
# and the file of the one that ran, and no name is one that never was.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

made() {
	start_python made.py 100
	json -p "$pid" -F 1999 -i 0.5 -d 2
	stop "$pid"
	check "$output" <<'PYTHON'
import collections

truth = truths(args[0])
expect_at_least("functions made, for each address", truth["made"] / truth["addresses"], 1.2)
counts = collections.Counter()
for sample in run.samples:
    for frame in sample.interpreted:
        expect(frame["function"], f"no name: {frame}")
        if frame["function"].startswith("made_"):
            expect_eq("file of " + frame["function"], frame["module"], frame["function"] + ".py")
    counts.update({name: sample.count for name, _ in sample.chain if name.startswith("made_")})
numbers = [int(name[len("made_"):]) for name in counts]
expect_at_least("samples in such functions", counts.total(), run.enough(200))
expect_eq("names that never were", [number for number in numbers if number >= truth["made"]], [])
most = max(counts.values())
expect_at_most(f"samples of one function, {counts.most_common(3)}", most, 10)
expect_at_least("functions, for each sample in them", len(counts) / counts.total(), 0.8)
right = run.count(lambda s: s.has("make_and_call"))
expect_at_least("share in make_and_call", right / run.counted, 0.95)
PYTHON
}
each_python made
pass
