#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# record --slices: what ran when is what the program says; slices add up to the whole, in our files and for readers
# who do not know them; --from and --to cut a recording in every output.
. "$(dirname "$0")/lib.sh"

top record -q -F 499 --slices 50ms -o "$tmp/phases.pb.gz" -- "$workloads/phases" 3 600
expect_status 0
expect_silent
grep -E '^(first|second) ' "$out" >"$tmp/said"

# Within a phase, and a little away from its ends, there is nothing of the other function.
top report --format json "$tmp/phases.pb.gz"
begin=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["provenance"]["start"])' "$out")
begin=$(date -d "$begin" +%s.%N)
nr=0
while read -r name from to; do
	read -r from to < <(python3 -c 'import sys
begin, start, end = (int(x.replace(".", "")) if "." in x else int(x) for x in sys.argv[1:])
print((start - begin) / 1e9 + 0.06, (end - begin) / 1e9 - 0.06)' "$begin" "$from" "$to")
	python3 -c 'import sys; sys.exit(float(sys.argv[2]) - float(sys.argv[1]) < 0.2)' "$from" "$to" || continue
	top report --from "$from" --to "$to" --format folded "$tmp/phases.pb.gz"
	expect_status 0
	mv "$out" "$tmp/folded"
	python3 - "$tmp/folded" "$name" <<'PYTHON' || fail "in the phase of $name from $from to $to"
import re, sys
own = other = 0
for line in open(sys.argv[1]):
    stack, count = line.rsplit(" ", 1)
    names = re.split("[; ]", stack)
    if sys.argv[2] in names:
        own += int(count)
    elif "first" in names or "second" in names:
        other += int(count)
assert own >= 5 and other <= own / 100, (own, other)
PYTHON
	nr=$((nr + 1))
done <"$tmp/said"
[ "$nr" -ge 4 ] || fail "only $nr phases were looked at"

# Slices add up, whatever the cut; a reader that does not know them finds the same sums and no label.
python3 - "$tmp/phases.pb.gz" "$topstacks" <<'PYTHON' || fail 'see above'
import gzip, json, subprocess, sys

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at

def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            assert key & 7 == 2, key
            length, at = varint(data, at)
            value = data[at:at + length]
            at += length
        yield key >> 3, value

def numbers(data):
    at, found = 0, []
    while at < len(data):
        value, at = varint(data, at)
        found.append(value)
    return found

path, topstacks = sys.argv[1:]
profile = list(fields(gzip.open(path).read()))
strings = [value for field, value in profile if field == 6]
samples = [list(fields(value)) for field, value in profile if field == 2]
counts = [numbers(value)[0] for sample in samples for field, value in sample if field == 2]
labels = {strings[dict(fields(value))[1]] for sample in samples for field, value in sample if field == 3}
assert b"slice" not in labels, labels
report = lambda *cut: json.loads(subprocess.check_output([topstacks, "report", *cut, "--format", "json", path]))
whole = report()
total = sum(sample["count"] for sample in whole["samples"])
assert total == sum(counts) == whole["ledger"]["counted"], (total, sum(counts))
parts = [report("--to", "1s"), report("--from", "1s", "--to", "2.2s"), report("--from", "2200ms")]
assert sum(sample["count"] for part in parts for sample in part["samples"]) == total
lengths = [part["provenance"]["duration_s"] for part in parts]
assert abs(sum(lengths) - whole["provenance"]["duration_s"]) < 0.001 and abs(lengths[1] - 1.2) < 0.001, lengths
PYTHON

# What is left by a cut is all there is: its functions have 100 % of it, in each format.
sum_of() { # columns of numbers on standard input
	awk -v column="$1" '{ sum += $column } END { exit !(sum > 99 && sum < 101) }' || fail "not all of the time: $2"
}
for cut in '--from 1s --to 2.2s' '--time 1-2.2'; do
	# shellcheck disable=SC2086
	top report $cut --by function --format text -n 1000 --percent-limit 0 --errors never "$tmp/phases.pb.gz"
	expect_status 0
	grep -E '^ +[0-9]+\.[0-9] ' "$out" | sum_of 1 "text of $cut"
	# shellcheck disable=SC2086
	top report $cut --format csv "$tmp/phases.pb.gz"
	expect_status 0
	sed -nE 's/.*,(user|kernel|jit),//p' "$out" | tr , ' ' | sum_of 3 "CSV of $cut"
done
top report --from 1s --to 2.2s --format markdown "$tmp/phases.pb.gz"
expect_status 0
! grep -q 'selected' "$out" || fail "a part of the cut is selected"
top report --from 1s --to 2.2s --comm nobody "$tmp/phases.pb.gz"
expect_status 0
grep -q '0.0 % of them selected' "$out" || fail "nothing is said of what was selected within a time"

# A part of a run says nothing of how long the run takes: diff compares its shares.
runs_of() { # DIRECTORY [CUT...]
	mkdir "$tmp/$1"
	top report "${@:2}" --format pprof -o "$tmp/$1/run-1.pb.gz" "$tmp/phases.pb.gz"
	expect_status 0
	cp "$tmp/$1/run-1.pb.gz" "$tmp/$1/run-2.pb.gz"
}
runs_of short --to 300ms
runs_of long --to 2.9s
top diff "$tmp/short" --against "$tmp/long"
grep -q 'end by time may have done more or less in it: --per work judges' "$out" || fail "parts of a run are compared as runs"

# By time: a row each, and a line of bars for both functions.
top report --by time -n 100 "$tmp/phases.pb.gz"
expect_status 0
grep -qE 'OVER TIME \([0-9]+ ms EACH\) +FUNCTION' "$out" || fail "no bars"
for name in first second; do
	grep "█.*  $name (phases)" "$out" >/dev/null || fail "no bars of $name"
done

refused() {
	top "${@:2}"
	expect_status 2
	expect_err "$1"
}
refused 'is not before' report --from 2s --to 1s "$tmp/phases.pb.gz"
refused 'nothing was recorded from 100 s on' report --from 100s "$tmp/phases.pb.gz"
refused 'slices are 50 ms long' report --from 1.026 --to 1.03 "$tmp/phases.pb.gz"
refused 'exclude each other' record -a --slices 100ms --intervals 1 -o "$tmp/no.pb.gz"
refused 'more than 65536 slices' record -a --slices 10ms -d 3600 -o "$tmp/no.pb.gz"
refused '"off-cpu" has spans of time' record -a -e off-cpu --slices 100ms -d 1 -o "$tmp/no.pb.gz"

# Where nothing was sampled that is what is said, by time too.
top record -q -F 1 --slices 100ms -o "$tmp/none.pb.gz" -- true
expect_status 0
top report --by time "$tmp/none.pb.gz"
expect_status 0
tail -n 2 "$out" | grep -q '^no samples' || fail "nothing is said of no samples"

# With --rotate each file has slices of its own time.
start shares 10
top_start record -q -p "$pid" -F 499 --slices 100ms --rotate 1 -o "$tmp/dir/"
wait_for eval '[ "$(find "$tmp/dir" -name "topstacks-*.pb.gz" | wc -l)" -ge 2 ]'
top_end
for file in "$tmp"/dir/topstacks-*.pb.gz; do
	top report --by time -n 1000 "$file"
	expect_status 0
	! grep -q 'tell no slice' "$out" || fail "samples without a slice in $file"
done
pass
