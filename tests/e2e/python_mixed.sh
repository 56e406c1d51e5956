#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Python that C calls, called by Python: the chain is the one that the program itself sees, with methods' classes from
# 3.11 on, and C code lies between the functions where it does. What is the interpreter's own is shown if all is.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

mixed() {
	local frames
	start_python mixed.py 100
	for frames in plain all; do
		json --threads --frames "$frames" -p "$pid" -F 1999 -i 1 -d 2
		cp "$out" "$tmp/$frames"
	done
	stop "$pid"
	for frames in plain all; do
		cp "$tmp/$frames" "$out"
		check "$output" "$minor" "$frames" <<'PYTHON'
truth, minor, frames_shown = truths(args[0]), int(args[1]), args[2]
known = {tuple(map(tuple, chain)) for chain in truth["chains"]}
inner = [sample for sample in run.samples if sample.chain and sample.chain[0] == ["spin", "truth.py"]]
number = sum(sample.count for sample in inner)
expect_at_least("samples", run.counted, run.enough(1000))
expect_at_least("share of samples in spin", number / run.counted, 0.8)
unknown = [sample for sample in inner if tuple(map(tuple, sample.chain)) not in known]
wrong = sum(sample.count for sample in unknown)
example = unknown and " < ".join(name or "?" for name, _ in unknown[0].chain)
expect_at_most(f"share with a chain that never was, as {example}", wrong / number, 0.01)
seen = {tuple(map(tuple, sample.chain)) for sample in inner} & known
expect_at_least(f"chains seen, of {len(known)}", len(seen), len(known) - 2 if number >= 2000 else len(known) / 2)
expect_eq("threads", len({sample.tid for sample in inner}), 2)
if minor >= 11:
    for name in ("Shape.area", "Shape.make", "Shape.width", "Shape.Part.weigh", "counted.<locals>.wrapper",
                 "through_decorator.<locals>.<lambda>"):
        expect_at_least("samples in " + name, run.with_function(name), 1)

# What lies between two functions that follow upon each other.
def between(sample, inside, outside):
    last = None
    for frame in sample.user:
        if frame["kind"] == "interpreted":
            if last is not None and last[0] == inside and frame["function"] == outside:
                yield last[1]
            last = (frame["function"], [])
        elif last is not None:
            last[1].append(frame)

def expect_between(inside, outside, least, wanted):
    pairs = [(sample.count, frames) for sample in inner for frames in between(sample, inside, outside)]
    total = sum(count for count, _ in pairs)
    expect_at_least(f"samples in {inside} in {outside}", total, 5 if number >= 1000 else 1)
    right = sum(count for count, frames in pairs if wanted(frames))
    expect_at_least(f"share of {inside} in {outside} with what is between", right / total, least)

# The place of a function among C's is one off, and others right, while it is being entered or left.
for inside, outside, library in truth["native"]:
    if library:
        expect_between(inside, outside, 0.95, lambda frames: any(re.match(library + "[-.]", frame["module"] or "") for frame in frames))
    elif frames_shown == "all":
        expect_between(inside, outside, 0.95, lambda frames: frames)
# Python that Python calls: up to 3.10 the loop calls itself.
if minor >= 11 or frames_shown == "plain":
    expect_between("spin", "leaf", 0.97, lambda frames: not frames)
else:
    expect_between("spin", "leaf", 0.95, lambda frames: frames)
PYTHON
	done
}
each_python mixed
pass
