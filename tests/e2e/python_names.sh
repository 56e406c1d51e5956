#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions of Python in the place of its loop: each sample has the chain that the program is in, in each output.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

names() {
	start_python nested.py 100
	json --threads -p "$pid" -F 999 -i 0.5 -d 1.5
	check "$pid" <<'PYTHON'
chain = [["leaf", "nested.py"], ["middle", "nested.py"], ["outer", "nested.py"], ["main", "nested.py"], ["<module>", "nested.py"]]
samples = [sample for sample in run.samples if sample.tid == int(args[0])]
number = sum(sample.count for sample in samples)
right = sum(sample.count for sample in samples if sample.chain == chain)
expect_at_least("samples", number, run.enough(300))
expect_at_least("share with the whole chain", right / number, 0.99)
loops = sum(sample.count for sample in samples if sample.has("_PyEval_EvalFrameDefault"))
expect_at_most("share with the loop itself", loops / number, 0.02)
for sample in samples:
    if sample.chain == chain:
        expect_eq("kind of what calls all others", sample.user[-1]["kind"], "user")
    for frame in sample.interpreted:
        expect(frame["function"] and frame["module"], f"no name: {frame}")
        expect("offset" not in frame, f"an offset: {frame}")
# From the first interval on.
expect_at_least("samples in leaf at first", Run(run.intervals[:1]).with_function("leaf"), 10)
PYTHON

	# Within three seconds the names of the interpreter are read, whatever else runs.
	top --folded -p "$pid" -F 499 -i 3 --once
	expect_status 0
	grep -qE '^python3[^;]*;.*;<module>_\[p\];main_\[p\];outer_\[p\];middle_\[p\];leaf_\[p\][; ]' "$out" ||
		fail 'folded, there is no such stack'
	# What calls them is the interpreter's, and shown if all is.
	top --folded --frames all -p "$pid" -F 499 -i 3 --once
	expect_status 0
	grep -qE ';(Py_RunMain|Py_BytesMain|pymain_run_python|PyEval_EvalCode);(.*;)?<module>_\[p\];(.*;)?leaf_\[p\][; ]' "$out" ||
		fail 'not all frames are there'
	top --once -p "$pid" -F 499 -i 0.5
	expect_status 0
	grep -q 'leaf.*nested\.py' "$out" || fail 'no row has the function and its file'

	# Kept, and read again.
	top record -q -p "$pid" -F 499 -d 0.5 -o "$tmp/profile"
	expect_status 0
	top report --format json "$tmp/profile"
	expect_status 0
	python3 - "$out" <<'PYTHON' || fail 'the file has other names'
import json, sys
profile = json.load(open(sys.argv[1]))
right = total = 0
for sample in profile["samples"]:
    frames = [profile["frames"][i] for i in sample["frames"]]
    names = [(f["function"], f["module"]) for f in frames if f["kind"] == "interpreted"]
    total += sample["count"]
    if names == [(name, "nested.py") for name in ("leaf", "middle", "outer", "main", "<module>")]:
        right += sample["count"]
assert right >= 0.97 * total and total > 10, (right, total)
PYTHON
	stop "$pid"
}
each_python names
pass
