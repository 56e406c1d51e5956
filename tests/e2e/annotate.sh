#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# report --annotate: shares of lines are those of the work on them, instructions are objdump's, and what is
# counted on either adds up to what the function has.
. "$(dirname "$0")/lib.sh"

cd "$tmp" || exit 1
cat >truth.c <<'EOF_'
#include <stdio.h>
static inline __attribute__((always_inline)) unsigned mix(unsigned x)
{
	for (int i = 0; i < 100; i++)
		x = x * 1103515245u + 12345u;
	return x;
}
__attribute__((noinline)) unsigned work(unsigned seed)
{
	unsigned sum = seed;
	/* on one line, as processors differ in which instruction of a loop a timer stops at */
	for (int i = 0; i < 3000; i++) sum = sum * 69069u + 1u;
	for (int i = 0; i < 10; i++)
		sum += mix(sum);
	return sum;
}
int main(void)
{
	volatile unsigned sink = 1;
	puts("ready");
	fflush(stdout);
	for (;;)
		sink = work(sink);
}
EOF_
gcc -O1 -g -o program truth.c || fail "cannot compile"
record_program work.pb.gz

# Three quarters of the steps are on line 12; those on line 14 are of what was inlined there.
top report --annotate work --format json work.pb.gz
expect_status 0
cp "$out" work.json
objdump -d --no-show-raw-insn program >listing
top report --no-inline --format csv work.pb.gz
cp "$out" functions.csv
cat >check.py <<'PYTHON'
import csv, json, re, sys
work = json.load(open("work.json", encoding="utf-8"))
assert work["schema"] == "topstacks.annotation/1" and work["function"] == "work" and work["kind"] == "user"
count = work["self"]["count"]
lines = {line["line"]: line for source in work["sources"] for line in source["lines"]}
assert sum(line["self"]["count"] for line in lines.values()) == count
row = next(r for r in csv.DictReader(open("functions.csv")) if r["function"] == "work")
assert int(row["self"]) == count, (row, count)
share = lambda number: lines[number]["self"]["count"] / count
assert 0.65 < share(12) < 0.85 and 0.15 < share(14) < 0.35, (share(12), share(14))
assert lines[12]["text"].strip() == "for (int i = 0; i < 3000; i++) sum = sum * 69069u + 1u;"
parts = lines[14]["inlined"]
assert {part["function"] for part in parts} == {"mix"} and {part["line"] for part in parts} <= {4, 5, 6}
assert sum(part["self"]["count"] for part in parts) > 0.8 * lines[14]["self"]["count"]
low, high = work["share_low"], work["share_high"]
assert 0 <= low <= count / work["whole"]["count"] <= high <= 1

# Addresses and mnemonics of the whole function; a suffix for the size of operands is a matter of taste.
block, = work["code"][0]["blocks"]
here, expected = False, []
for line in open("listing"):
    if re.match(r"[0-9a-f]+ <", line):
        here = "<work>:" in line
    elif here and (m := re.match(r" *([0-9a-f]+):\s+(\S+)", line)):
        expected.append((int(m[1], 16), m[2]))
found = [(int(i["address"], 16), i["text"].split()[0]) for i in block["instructions"]]
assert [a for a, _ in found] == [a for a, _ in expected], (found, expected)
same = lambda a, b: a == b or (a.startswith(b) and len(a) == len(b) + 1 and a[-1] in "bwlq")
for (_, ours), (address, theirs) in zip(found, expected):
    assert same(ours, theirs) or same(theirs, ours), (hex(address), ours, theirs)
assert sum(i["self"]["count"] for i in block["instructions"]) == count
assert work["code"][0]["unplaced"]["self"]["count"] == 0
for instruction in block["instructions"]:  # a loop's line is that of its instructions
    if instruction["self"]["count"] > 0.3 * count:
        assert instruction["line"] == 12, instruction
PYTHON
python3 check.py >"$out" 2>&1 || fail "lines or instructions are wrong"

# A caller has its samples at the call, apart from its own.
top report --annotate program:main --format json work.pb.gz
expect_status 0
python3 - "$out" <<'PYTHON' || fail "the call is not where it is"
import json, sys
main = json.load(open(sys.argv[1], encoding="utf-8"))
rows = [i for block in main["code"][0]["blocks"] for i in block["instructions"] if i["calls"]["count"]]
assert len(rows) == 1 and rows[0]["text"].startswith("call") and rows[0]["target_function"] == "work", rows
assert rows[0]["calls"]["count"] == main["calls"]["count"] > 10 * main["self"]["count"]
assert [line["line"] for source in main["sources"] for line in source["lines"] if line["calls"]["count"]] == [23]
PYTHON

# What it called is left out: then it has all samples itself, and has them at the call, not behind it.
top report --annotate program:main --drop '^(work|mix)$' --format json work.pb.gz
expect_status 0
python3 - "$out" <<'PYTHON' || fail "what is left is not where it called"
import json, sys
main = json.load(open(sys.argv[1], encoding="utf-8"))
rows = {i["text"].split()[0]: i["self"]["count"] for block in main["code"][0]["blocks"] for i in block["instructions"]}
called = sum(count for text, count in rows.items() if text.startswith("call"))
assert called > 0.9 * main["self"]["count"] > 0.9 * main["whole"]["count"] * 0.9, rows
assert {line["line"] for source in main["sources"] for line in source["lines"] if line["self"]["count"] > called / 2} == {23}
PYTHON

# In words, with the text of the source; of what was inlined, where its instructions are.
top report --annotate work work.pb.gz
expect_status 0
grep -qE '^work \(program\)  [0-9.]+ ±[0-9.]+ % itself' "$out" || fail "the function has no share"
grep -qE ' 12  +for .* sum = sum \* 69069u \+ 1u;$' "$out" || fail "the line has no text"
grep -qE ' mix \[i\]  truth\.c:[45]$' "$out" || fail "what was inlined is not told"
grep -qE '^ *[0-9.]+ ±[0-9.]+ +[0-9,]+ .*[0-9a-f]+  (imul|add|sub)l? ' "$out" || fail "no instruction has samples"
# The example of the document is what the program writes.
grep -E 'CALLS %   (LINE|ADDRESS)' "$root/docs/report.md" | sed 's/^    //' | sort >headings
[ "$(wc -l <headings)" -eq 2 ] || fail "the document has no headings"
diff headings <(grep -E 'CALLS %   (LINE|ADDRESS)' "$out" | sort) || fail "the document has others"
top report --annotate mix work.pb.gz
expect_status 0
grep -q '^inlined into work (program)' "$out" || fail "it is not said what mix was inlined into"

# Without debug information: instructions, and a word that there are no lines. Without a name: by its start.
gcc -O1 -s -o program truth.c
record_program bare.pb.gz
name=$("$topstacks" report --by function -n 1 bare.pb.gz 2>/dev/null | grep -oE 'program@0x[0-9a-f]+')
top report --annotate "$name" bare.pb.gz
expect_status 0
grep -q '^No line of its source is known' "$out" || fail "lines that nobody knows are not told"
grep -qE ' ret' "$out" || fail "no instructions of a stripped program"

# A binary that is not the one that ran has no say.
top report --annotate work work.pb.gz
expect_status 0
grep -q 'is not here as it was when it ran' "$out" || fail "another program's instructions may be shown"
! grep -q 'ADDRESS' "$out" || fail "another program's instructions are shown"
mkdir there && gcc -O1 -g -o there/program truth.c
top report --annotate work --symfs there work.pb.gz
grep -q 'ADDRESS' "$out" || fail "--symfs is not looked into"

# The source elsewhere, changed, and too short.
mkdir -p moved/src && mv truth.c moved/src
top report --annotate work work.pb.gz
grep -q 'Its text is not here' "$out" || fail "text that is not there is not told"
top report --annotate work --source moved/src work.pb.gz
grep -qE ' 12  +for .* sum = sum' "$out" || fail "--source is not looked into"
touch -d '+1 day' moved/src/truth.c
top report --annotate work --source moved/src --symfs there work.pb.gz
grep -q 'is newer than the program' "$out" || fail "a change of the source is not told"
head -n 5 moved/src/truth.c >truth.c
top report --annotate work work.pb.gz
grep -q 'It has 5 lines' "$out" || fail "a source that is too short is not told"

# Names that mean none, or several; what does not go together.
refused() {
	local said=$1
	shift
	top report "$@" work.pb.gz
	expect_status 2
	expect_err "$said"
	[ "$(grep -c ^topstacks: "$err")" -eq 1 ] || fail "more than one sentence"
}
refused 'called "wrk"; did you mean "work"' --annotate wrk
refused 'called "entirely_else"; report --by function' --annotate entirely_else
refused 'does not go together with' --annotate work --by line
refused 'as text or json, not as csv' --annotate work --format csv
refused 'as text or json, not as markdown' --annotate work --format markdown
refused 'of a function: which one' --whole
printf 'p;a;same 3\n' >folded
top report --annotate same folded
expect_status 0
grep -q 'No file of it is known' "$out" || fail "text has no instructions, and it is not said"
pass
