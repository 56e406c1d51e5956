#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --lines: of Python's functions, too: where they compute, and where they call. Without it, functions are one frame each.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

lines() {
	start_python lines.py 100
	top record --lines -q -p "$pid" -F 1499 -d 3 -o "$tmp/profile"
	expect_status 0
	top report --format json "$tmp/profile"
	expect_status 0
	cp "$out" "$tmp/saved"
	json -p "$pid" -F 499 -i 1 -d 1
	check "$output" "$scripts/lines.py" "$tmp/saved" <<'PYTHON'
import collections

truth, script, samples = truths(args[0])["lines"], args[1], saved_samples(args[2])
inner, outer = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
for sample in samples:
    for place, frame in enumerate(sample.interpreted):
        files = {"far": "/of/text/far.py", "long": "/of/text/long.py"}
        if frame["module"] in ("lines.py", "far.py", "long.py"):
            expect_eq(f"file of {frame}", frame.get("file"), files.get(frame["function"], script))
            (outer if place else inner)[frame["function"]][frame["line"]] += sample.count
expect_at_least("samples", sum(sample.count for sample in samples), run.enough(1000))
for function, lines in truth["in"].items():
    seen, number = inner[function], inner[function].total()
    expect_at_least(f"samples in {function}", number, run.enough(50))
    if function == "long": # its table may be longer than what is kept of it: then they are not known
        lines = lines + [0]
    right = sum(seen[line] for line in lines)
    expect_at_least(f"share of {function} in its lines {lines}, {dict(seen)}", right / number, 0.97)
    # Some are over in no time, and a compiler may have put off what says where the loop is.
    if function != "long":
        expect_at_least(f"lines of {function} with samples, of {lines}", len(set(seen) & set(lines)), len(lines) / 2)
for function, lines in truth["from"].items():
    seen, number = outer[function], outer[function].total()
    right = sum(seen[line] for line in lines)
    expect_at_least(f"share of calls from {function} in its lines {lines}, {dict(seen)}", right / number, 0.99)

# Where nobody asks for lines.
expect_eq("lines that nobody asked for", {f["line"] for s in run.samples for f in s.interpreted if f.get("line")}, set())
places = {(f["function"], f["module"]) for s in run.samples for f in s.interpreted}
expect("call_all" in dict(places), f"no call_all in {places}")
PYTHON
	stop "$pid"
}
each_python lines
pass
