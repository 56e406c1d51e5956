#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Programs that live for some 40 ms: what they ran has its names, though they are gone before anybody could look.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

short() {
	# shellcheck disable=SC2016 # for another shell
	json -F 2999 -i 60 -- sh -c 'for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "$@"; done' sh \
		"${python[@]}" "$scripts/short.py"
	check <<'PYTHON'
work = [sample for sample in run.samples if sample.has("work")]
number = sum(sample.count for sample in work)
# The first ones may be gone before the interpreter's file has been read.
expect_at_least("processes with samples in work", len({sample.pid for sample in work}), 15)
expect_at_least("samples in work", number, run.enough(200))
chain = [["work", "short.py"], ["main", "short.py"], ["<module>", "short.py"]]
expect_at_least("share with the chain", sum(s.count for s in work if s.chain == chain) / number, 0.99)
# A frame that is being made, and whose memory is not there yet, has no code.
frames = sum(sample.count * len(sample.interpreted) for sample in run.samples)
unnamed = sum(sample.count for sample in run.samples for frame in sample.interpreted if not frame["function"])
expect_at_most("frames without a name, of all", unnamed / frames, 0.001)
# Where the loop begins and ends a function, the function's frame is not there.
loops = run.count(lambda s: s.has("_PyEval_EvalFrameDefault"))
expect_at_most("share with the loop itself", loops / run.count(lambda s: s.interpreted), 0.03)
PYTHON
}
each_python short
pass
