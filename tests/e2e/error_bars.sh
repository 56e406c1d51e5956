#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# One recording of functions of known shares, cut in pieces: error bars of a piece hold the true shares about as
# often as they say, and are no wider than so many samples need. Of all outputs they are the same.
. "$(dirname "$0")/lib.sh"

length=0.25
top record -F 499 --intervals $length -o "$tmp/run.pb.gz" -- \
	sh -c 'exec "$1" 8 >"$2"' sh "$workloads/shares" "$tmp/truth"
expect_status 0
python3 -B - "$tmp/truth" "$topstacks" "$tmp/run.pb.gz" $length >"$out" <<'PYTHON' || fail "error bars do not hold what they say"
import csv
import json
import subprocess
import sys

PIECE = 100  # samples, at least: so many intervals as that takes


def rows_of(begin, end):
    """Of functions, by name; None beyond the end of the recording."""
    report = [sys.argv[2], "report", "--time", f"{begin}-{end}", "--format", "csv", sys.argv[3]]
    said = subprocess.run(report, capture_output=True, text=True)
    return None if said.returncode else {row["function"]: row for row in csv.DictReader(said.stdout.splitlines())}


def pieces(length):
    begin = end = 0
    while True:
        end += length
        rows = rows_of(begin, end)
        if rows is None or end > 600:
            return
        total = sum(int(row["self"]) for row in rows.values())
        if total >= PIECE:
            yield rows, total
            begin = end


truth = json.loads([line for line in open(sys.argv[1]) if line[0] == "{"][-1])
shares = {name: 100 * ns / truth["process_ns"] for name, ns in truth["functions_ns"].items()}
held, widths = [], []
for rows, total in pieces(float(sys.argv[4])):
    for name, share in shares.items():
        low, high = (float(rows[name][f"total_percent_{end}"]) for end in ("low", "high"))
        held.append(low <= share <= high)
        p = share / 100
        widths.append((high - low) / (100 * 2 * 1.96 * (p * (1 - p) / total) ** 0.5))
print(f"{sum(held)} of {len(held)} hold the truth; widths {sum(widths) / len(widths):.2f} of normal ones")
assert len(held) >= 20, "too few pieces"
assert sum(held) >= 0.8 * len(held)
assert 0.85 < sum(widths) / len(widths) < 2  # a scatter that was learned of a few intervals makes them wider
PYTHON

# All of it: the bounds of text, CSV and JSON are one calculation.
"$topstacks" report --by function "$tmp/run.pb.gz" >"$tmp/text"
"$topstacks" report --format csv "$tmp/run.pb.gz" >"$tmp/csv"
"$topstacks" report --format json "$tmp/run.pb.gz" >"$tmp/json"
python3 -B - "$tmp/text" "$tmp/csv" "$tmp/json" >"$out" <<'PYTHON' || fail "outputs disagree"
import csv
import json
import math
import re
import sys

text, rows, errors = open(sys.argv[1]).read(), csv.DictReader(open(sys.argv[2])), json.load(open(sys.argv[3]))["errors"]
row = next(row for row in rows if row["function"] == "spin")
q = errors["quantile"] ** 2 * errors["dispersion"] / errors["samples"]
share = int(row["self"]) / errors["samples"]
half = math.sqrt(q * share * (1 - share) + q * q / 4)
low, high = (100 * (share + q / 2 + sign * half) / (1 + q) for sign in (-1, 1))
said = re.search(r"^ +([0-9.]+) ±([0-9.]+).* spin \(", text, re.M)
print(errors, row, low, high, said and said.group(0))
assert abs(float(row["self_percent_low"]) - low) < 2e-4 and abs(float(row["self_percent_high"]) - high) < 2e-4
assert abs(float(said.group(2)) - max(100 * share - low, high - 100 * share)) < 0.051
assert 1 <= errors["dispersion"] < 3
PYTHON

# Runs that differ by far more than samples do are worth few of them: a step of 0.8 where 0.022 is chance's.
printf 'f 900\ng 100\n' >"$tmp/one.folded"
printf 'f 100\ng 900\n' >"$tmp/other.folded"
top report --format json "$tmp/one.folded" "$tmp/other.folded"
grep -q '"samples":2000,"dispersion":1280,' "$out" || fail "two runs do not tell how far they differ"
top report --format json "$tmp/one.folded"
grep -q '"samples":1000,"dispersion":1,' "$out" || fail "one run tells"

# What is not asked for, and where there is nothing to say.
! "$topstacks" report --errors never "$tmp/run.pb.gz" | grep -q '±' || fail "--errors never has some"
top report --width 60 --by function "$tmp/run.pb.gz"
! grep -qE '^ +[0-9.]+ ±' "$out" || fail "lines of 60 columns have room"
top report --width 60 --errors always --by function "$tmp/run.pb.gz"
grep -qE '^ +[0-9.]+ ±' "$out" || fail "--errors always has none"
top record -e sched:sched_switch -d 0.2 -o "$tmp/switches.pb.gz"
expect_status 0
top report "$tmp/switches.pb.gz"
grep -q '^errors     none: all of it was measured, none of it sampled$' "$out" || fail "what is exact has errors"
! grep -q '±' "$out" || fail "what is exact has error bars"
pass
