#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --drop leaves frames out, joins callers to callees, and keeps every sample: against awk on the same text.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/loop.txt" <<-'EOF_'
	_start;main;loop;run;a 10
	_start;main;loop;run;b;run 20
	_start;main;looper;c 7
	loop;run 5
	run 1
EOF_
# left_of FILE REGEX: what is left by the definition, in order.
left_of() {
	awk -v drop="$2" '{
		n = split($1, names, ";"); text = ""
		for (i = 1; i <= n; i++)
			if (names[i] !~ drop)
				text = text (text == "" ? "" : ";") names[i]
		counts[text == "" ? "[dropped]" : text] += $2
	} END { for (stack in counts) print stack, counts[stack] }' "$1" | sort
}
for drop in '^(loop|run)$' loop '^_' '.' 'nobody'; do
	top report --format folded --drop "$drop" "$tmp/loop.txt"
	expect_status 0
	diff <(sort "$out") <(left_of "$tmp/loop.txt" "$drop") || fail "$drop"
done
# Given twice, either of them.
top report --format folded --drop '^loop$' --drop '^run$' "$tmp/loop.txt"
diff <(sort "$out") <(left_of "$tmp/loop.txt" '^(loop|run)$') || fail "twice"
grep -q '^topstacks: --drop left frames out of 83.7 % of all stacks; 14.0 % had no others, and are \[dropped\]$' "$err" ||
	fail "not told"

top report --drop '(' "$tmp/loop.txt"
expect_status 2
grep -q '^topstacks: no regular expression: "(": ' "$err" || fail "no sentence"
top diff --drop '(' "$tmp/loop.txt" --against "$tmp/loop.txt"
expect_status 2

# What fails and why, without the frames in between, and with all slices of a recording.
printf 'main;loop;work 900\nmain;loop;rest 9000\n' >"$tmp/base.txt"
printf 'main;loop;work 2900\nmain;loop;rest 9000\n' >"$tmp/new.txt"
top diff --drop '^loop$' "$tmp/base.txt" --against "$tmp/new.txt"
expect_status 1
grep -q '100 % of the increase via main → work$' "$out" || fail "loop is still there"

# A recording: totals, whole stacks and inlined code stay what they are.
top record -q -F 999 --intervals 0.1 -o "$tmp/run.pb.gz" -- "$workloads/slowed" 0 30
expect_status 0
top report --format json "$tmp/run.pb.gz"
cp "$out" "$tmp/all.json"
top report --format json --drop '^(work|_start)$' "$tmp/run.pb.gz"
expect_status 0
python3 - "$tmp/all.json" "$out" <<'PYTHON' || fail "see above"
import json, sys
whole, left = (json.load(open(path)) for path in sys.argv[1:])
def names(document, sample):
    return {document["frames"][frame]["function"] for frame in sample["frames"]}
assert any("work" in names(whole, sample) for sample in whole["samples"])
assert not any({"work", "_start"} & names(left, sample) for sample in left["samples"])
assert whole["values"] == left["values"], (whole["values"], left["values"])
assert whole["ledger"] == left["ledger"]
PYTHON
pass
