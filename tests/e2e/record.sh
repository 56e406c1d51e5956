#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# record: what was counted is what the file holds, in every format and by every way of writing it.
. "$(dirname "$0")/lib.sh"

start stacks 5 60
top record -p "$pid" -F 999 -d 1.5 -o "$tmp/a.pb.gz"
expect_status 0
expect_err '^topstacks: [0-9,]+ samples, 0 lost, in .*a\.pb\.gz \([0-9.]+ k?B\)$'
counted=$(grep -oE '^topstacks: [0-9,]+' "$err" | tr -dc 0-9)

# The file's own ledger, its samples, and folded text: to the sample.
top report --format=json "$tmp/a.pb.gz"
expect_status 0
python3 - "$out" "$counted" <<'PYTHON' || fail 'see above'
import json, sys
profile, counted = json.load(open(sys.argv[1])), int(sys.argv[2])
ledger = profile["ledger"]
assert profile["schema"] == "topstacks.snapshot/1"
assert ledger["balanced"], ledger
assert ledger["counted"] == counted, (ledger["counted"], counted)
assert sum(s["count"] for s in profile["samples"]) == counted
assert sum(s["weight"] for s in profile["samples"]) == round(ledger["coverage"]["sampled_s"] * 1e9)
provenance = profile["provenance"]
assert provenance["event"] == "cpu-clock" and provenance["asked_hz"] == 999, provenance
assert provenance["duration_s"] >= 1.4, provenance
assert all(f["build_id"] for f in profile["frames"] if f["module"] == "stacks"), "no build ID"
PYTHON
top report --format=folded "$tmp/a.pb.gz"
expect_status 0
cp "$out" "$tmp/a.folded"
sum=$(awk '{ sum += $NF } END { print sum }' "$out")
[ "$sum" -eq "$counted" ] || fail "folded has $sum of $counted"
top report --format=folded "$tmp/a.folded"
cmp "$out" "$tmp/a.folded" || fail "folded text changes when it is read and written"

# By standard output and input; compressed or not.
"$topstacks" report --format=pprof "$tmp/a.pb.gz" | gunzip | "$topstacks" report --format=folded - |
	cmp - "$tmp/a.folded" || fail "by pipes"
"$topstacks" report --format=folded <(cat "$tmp/a.pb.gz") | cmp - "$tmp/a.folded" || fail "by a FIFO"

# Slices add up to the whole.
top record -q -p "$pid" -F 999 -d 1.2 --intervals 0.4 -o "$tmp/slices.pb.gz"
expect_status 0
gunzip <"$tmp/slices.pb.gz" >"$tmp/slices.pb"
grep -qaP 'topstacks.run=.*\tslice_ns=400000000' "$tmp/slices.pb" || fail "no slices in the file"

top report --format=json "$tmp/slices.pb.gz"
counted=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["ledger"]["counted"])' <"$out")
for nr_rows in 1 2 3 20; do
	top report --by time -n "$nr_rows" "$tmp/slices.pb.gz"
	expect_status 0
	sum=$(awk '/HOTTEST FUNCTION/ { table = 1; next } table { gsub(",", "", $2); sum += $2 } END { print sum + 0 }' "$out")
	[ "$sum" -eq "$counted" ] || fail "$nr_rows rows by time have $sum of $counted"
done
top report --by time "$tmp/a.pb.gz"
expect_status 2
expect_err 'no intervals'

# An existing file stays if writing fails or is killed.
echo old >"$tmp/kept"
top record -q -p "$pid" -d 0.2 -o "$tmp/no/such/directory/x"
expect_status 4
expect_err 'cannot write'
top record -q -o "$tmp/no/such/directory/x" -- touch "$tmp/ran"
expect_status 125
top --json --save "$tmp/no/such/directory/x" -- touch "$tmp/ran"
expect_status 125
[ ! -e "$tmp/ran" ] || fail "what cannot be written is found out after the run"
top_start record -q -p "$pid" -d 30 -o "$tmp/kept"
wait_sampling
kill -KILL "$top_pid"
wait "$top_pid" || true
grep -q old "$tmp/kept" || fail "the old file is gone"
[ -z "$(find "$tmp" -name 'kept.tmp*')" ] || fail "an unfinished file is left"
top record -q -p "$pid" -d 0.2 -o /dev/full
expect_status 4
expect_err 'no space left'

# A pipe is not opened before there is something to write: its reader would see the end of it.
mkfifo "$tmp/pipe"
cat "$tmp/pipe" >"$tmp/piped" &
reader=$!
top record -q -p "$pid" -F 499 -d 0.5 -o "$tmp/pipe"
expect_status 0
wait "$reader"
top report "$tmp/piped"
expect_status 0

# Ctrl-C ends it as planned.
top_start record -q -p "$pid" -F 999 -o "$tmp/kept"
wait_sampling
sleep 0.5
top_end
top report --by function "$tmp/kept"
expect_status 0
grep -q spin "$out" || fail "nothing of the target in the report"

# The command's status is the status.
top record -q -o "$tmp/command.pb.gz" -- sh -c 'exit 7'
expect_status 7
[ -s "$tmp/command.pb.gz" ] || fail "nothing was written"

# top can save what it shows.
top -p "$pid" -i 0.5 -d 1.2 --save "$tmp/saved.pb.gz"
expect_status 0
top report --by process "$tmp/saved.pb.gz"
expect_status 0
grep -q "stacks ($pid)" "$out" || fail "the process is not in the file"

for words in "record -p $pid -d 1" "record -p $pid -o $tmp/x --keep 3" "record -o - --rotate 2 -p $pid" report "report $tmp/none" \
	"report --format=nothing $tmp/a.pb.gz" "report --sample-type=x $tmp/a.pb.gz" \
	"report --focus=( $tmp/a.pb.gz" "report /bin/sh" "report /dev/null" "report $tmp"; do
	# shellcheck disable=SC2086 # words
	top $words
	expect_status 2
	[ "$(wc -l <"$err")" -eq 1 ] || fail "not one sentence: $words"
done
pass
