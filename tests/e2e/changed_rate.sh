#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The rate changes while a program runs: shares are of the CPU time that it spent, in each output, and bars hold the
# truth. Its phases are of so much CPU time by its own clock.
. "$(dirname "$0")/lib.sh"

# The bound is looked at after 4 s: 2 of 8 s pass at the rate that was asked for, and most of the rest at lower ones.
top record -F 4999 --max-overhead 0.1 -o "$tmp/changed.pb.gz" -- "$workloads/spent" 2000 6000
expect_status 0
expect_err 'sampling at [0-9.]+ Hz from here on, to stay within --max-overhead 0.1'
top report --format json "$tmp/changed.pb.gz"
cp "$out" "$tmp/changed.json"
top report --format csv "$tmp/changed.pb.gz"
cp "$out" "$tmp/changed.csv"
top report --format folded "$tmp/changed.pb.gz"
python3 - "$tmp/changed.json" "$tmp/changed.csv" "$out" <<'PYTHON' || fail 'shares are of something else'
import csv, json, sys

report = json.load(open(sys.argv[1]))
assert report["values"]["shown"] == "weight", report["values"]
# Of what one rate gives in each phase, for certain; what it takes to be told is in the bars.
half = max(s["spent"]["share_high"] - s["spent"]["share"] for s in report["samples"])
rows = {row["function"]: row for row in csv.DictReader(open(sys.argv[2]))}
folded = {"first": 0, "second": 0}
for line in open(sys.argv[3]):
    stack, number = line.rsplit(" ", 1)
    for function in folded:
        folded[function] += int(number) * (function in stack.split(";"))
for function, truth in ("first", 25), ("second", 75):
    near = 100 * (3 * half) + 1
    total = float(rows[function]["total_percent"])
    assert abs(total - truth) < near, (function, total, near)
    own = 100 * folded[function] / sum(folded.values())
    assert abs(own - truth) < near, (function, own, near)
counts = {f: sum(s["count"] for s in report["samples"] if any(report["frames"][i]["function"] == f for i in s["frames"]))
          for f in folded}
assert counts["first"] > 0.3 * sum(counts.values()), counts # which are no shares of what was spent
PYTHON

# Readers learn what was left of the rate that was asked for.
for format in text markdown; do
	top report --format "$format" "$tmp/changed.pb.gz"
	grep -Eq '4,?999 Hz, lowered to [0-9.]+ Hz' "$out" || fail "$format: the rate that was left is not told"
done

# Files of two rates: as much time of each, whatever their samples.
top record -q -F 1000 -o "$tmp/often.pb.gz" -- "$workloads/spent" 1000 1
top record -q -F 100 -o "$tmp/seldom.pb.gz" -- "$workloads/spent" 1 1000
top report --by function --format csv "$tmp/often.pb.gz" "$tmp/seldom.pb.gz"
python3 - "$out" <<'PYTHON' || fail 'files of two rates are added up by their samples'
import csv, sys
rows = {row["function"]: float(row["total_percent"]) for row in csv.DictReader(open(sys.argv[1]))}
# Of 100 samples ten more or fewer.
assert abs(rows["first"] - 50) < 5 and abs(rows["second"] - 50) < 5, rows
PYTHON
pass
