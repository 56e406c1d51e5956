#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# diff: a function that is slower by a known factor is found, equal runs pass, and what is no
# comparison is refused, each with its exit code.
. "$(dirname "$0")/lib.sh"

# run PERCENT NAME...: a recording each.
run() {
	local name
	for name in "${@:2}"; do
		top record -q -F 4999 --intervals 0.1 -o "$tmp/$name.pb.gz" -- "$workloads/slowed" "$1" 60
		expect_status 0
	done
}

# In turns, so that the machine's moods are on both sides.
for i in 1 2 3; do
	run 0 "base$i" "same$i"
	run 80 "more$i"
	run 100 "twice$i"
done
base=("$tmp"/base[123].pb.gz)

# expect_hot LOW HIGH FILE...: hot failed, its ratio's interval has the truth, and nobody else failed. By
# shares: a run takes longer, and so do the system calls that all of it makes.
expect_hot() {
	top diff --per share "${base[@]}" --against "${@:3}" --format=json
	expect_status 1
	expect_silent
	python3 - "$out" "$1" "$2" <<'PYTHON' || fail "see above"
import json, sys
diff, low, high = json.load(open(sys.argv[1])), *map(float, sys.argv[2:])
assert diff["schema"] == "topstacks.diff/1" and diff["exit_code"] == 1 and not diff["warnings"], diff
failing = [unit for unit in diff["units"] if unit["fails"]]
assert [unit["name"] for unit in failing] == ["hot"], failing
assert failing[0]["kind"] == "total" and failing[0]["verdict"] == "regressed", failing
assert low < failing[0]["ratio"] < high, failing
assert failing[0]["low"] < failing[0]["ratio"] < failing[0]["high"], failing
PYTHON
}
expect_hot 1.4 2.3 "$tmp"/more[123].pb.gz
expect_hot 1.5 2.35 "$tmp"/twice[123].pb.gz

top diff "${base[@]}" --against "$tmp"/same[123].pb.gz
expect_status 0
grep -q '^passed: .*(0 regressed' "$out" || fail "no verdict"
grep -q 'base: 3 runs, .* new: 3 runs' "$out" || fail "the runs are not told"

# Improved is no failure, unless one says so; globs are files. What hot leaves raises others' shares, and
# spin, their common leaf, hides from the reference why: by a tenth.
top diff --base "$tmp/twice?.pb.gz" --new "$tmp/base?.pb.gz" --fail-on 'regressed>30%'
expect_status 0
grep -q '^improved .* hot (slowed)' "$out" || fail "not improved"
top diff --base "$tmp/twice?.pb.gz" --new "$tmp/base?.pb.gz" --fail-on 'improved:total>20%'
expect_status 1
top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --fail-on 'regressed:total>200%'
expect_status 0
top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --fail-on none
expect_status 0
printf 'function = 200 h?t\n' >"$tmp/config"
top diff --per share "${base[@]}" --against "$tmp"/twice[123].pb.gz --config "$tmp/config"
expect_status 0

# By work: the same rounds in each run, so hot alone costs more; twice the rounds, and all cost less.
top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --per work --work-base 60 --work-new 60
expect_status 1
grep -q '^regressed .* hot (slowed)' "$out" || fail "not found by work"
top diff "${base[@]}" --against "$tmp"/same[123].pb.gz --per work --work-base 120 --work-new 60
expect_status 1
grep -q '^regressed .* large (slowed)' "$out" || fail "everything twice as slow, and not seen"
top diff "${base[@]}" --against "$tmp"/same[123].pb.gz --per second
[ "$status" -le 1 ] || fail "by second: $status"

# By stack and module; one run a side says that it assumes, and takes its bursts from the intervals.
top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --by stack
expect_status 1
grep -qE '^regressed .*;work;hot;spin' "$out" || fail "no stack"
top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --by subtree
expect_status 1
grep -qE '^regressed .* total  .*main;work;hot \(' "$out" || fail "no subtree"
top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --by module --per share
expect_status 0
top diff "$tmp/base1.pb.gz" --against "$tmp/twice1.pb.gz" --format=json
grep -q '"phi_source":"estimated"' "$out" || fail "intervals are not used"
top diff "$tmp/base1.pb.gz" --against "$tmp/base2.pb.gz"
expect_status 0
grep -q 'is assumed, not estimated: take 3 to 5 runs a side' "$out" || fail "not told"

# Markdown: one table, each row as wide as its head; to a file.
top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --per share --format=markdown -o "$tmp/comment.md"
expect_status 1
[ ! -s "$out" ] || fail "text beside the file"
grep -q '^### Profile: FAILED: [1-9][0-9]* of ' "$tmp/comment.md" || fail "no title"
[ "$(grep '^|' "$tmp/comment.md" | tr -cd '|\n' | sort -u)" = '|||||||||' ] || fail "no table"

# The flame graph is beside the report, and of well-formed XML.
for kind in svg html; do
	top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --per share --flamegraph "$tmp/flame.$kind"
	expect_status 1
	grep -q '^FAILED: [1-9][0-9]* of ' "$out" || fail "no report beside the flame graph"
done
grep -q '^<g class="box regressed"><title>hot ' "$tmp/flame.svg" || fail "hot is not red"
grep -q '>hot +[0-9.]* %</text>' "$tmp/flame.svg" || fail "hot does not tell its change"
python3 - "$tmp/flame.html" <<'END' || fail "the page does not tell what became of hot"
import base64, re, sys, zlib
data = re.search('octet-stream">([^<]*)<', open(sys.argv[1]).read()).group(1)
told = zlib.decompress(base64.b64decode(data))
sys.exit(b'hot' not in told or not re.search(rb'regressed: \+\d', told))
END
python3 -c 'import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])' "$tmp/flame.svg" || fail "no XML"

# For machines: the same failures, in words of their own.
top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --format=junit
expect_status 1
grep -q '^<testcase classname="slowed" name="hot total"><failure ' "$out" || fail "no failed test case"
top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --format=github
grep -q '^::error title=hot (slowed) regressed::total, +' "$out" || fail "no annotation"
top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --format=bmf
grep -q '"hot (slowed) total":{"share":{"value":0.1' "$out" || fail "no metric"
top diff "${base[@]}" --against "$tmp"/twice[123].pb.gz --format=csv
grep -q '^"hot","slowed",user,total,regressed,1,' "$out" || fail "no row"

# Blind is not green.
top diff "$tmp/base1.pb.gz" --against "$tmp/base2.pb.gz" --require-power 5
expect_status 2
expect_err 'could be 5 % slower unseen'
grep -q '^BLIND' "$out" || fail "the report does not say it"
top diff "${base[@]}" --against "$tmp"/same[123].pb.gz --require-power 300
expect_status 0

# Settings are printed as they are read.
top diff --show-config --config "$tmp/config" --min-effect 7
expect_status 0
cp "$out" "$tmp/settings"
grep -q '^min-effect = 7$' "$out" || fail "not shown"
top diff --show-config --config "$tmp/settings"
cmp "$out" "$tmp/settings" || fail "not the same when read again"

# Not comparable: a warning, or an error.
top record -q -F 99 -o "$tmp/slow.pb.gz" -- "$workloads/slowed" 0 60
top diff "${base[@]}" --against "$tmp/slow.pb.gz" --fail-on none
expect_status 0
grep -q '^warning: nanoseconds between samples differ by more than 10 times' "$out" || fail "no warning"
top diff "${base[@]}" --against "$tmp/slow.pb.gz" --strict
expect_status 2
expect_err 'not comparable: nanoseconds between samples differ'
[ ! -s "$out" ] || fail "a report of what was refused"
top diff "${base[@]}" --against "$tmp/slow.pb.gz" --strict --allow rate --fail-on none
expect_status 0

# Bad input has answers: empty, one sample, all in one, and counts at the end of all sums.
: >"$tmp/empty"
printf 'a;b 1\n' >"$tmp/one"
printf 'a;b 100000\n' >"$tmp/all"
printf 'a;b 9223372036854775807\na;c 9223372036854775807\n' >"$tmp/huge"
for pair in 'one one 0' 'all all 0' 'one all 0' 'huge huge 0' 'huge one 0' 'one huge 0'; do
	# shellcheck disable=SC2086 # words
	set -- $pair
	for format in text markdown json junit github bmf csv; do
		cp "$tmp/$1" "$tmp/x"
		top diff "$tmp/x" --against "$tmp/$2" --format "$format" --fail-on none
		expect_status "$3"
		cp "$out" "$tmp/report.$1-$2.$format"
		! grep -qiE '\b(nan|inf)\b' "$out" || fail "no number: $pair"
	done
done
python3 - "$tmp"/report.* <<'PYTHON' || fail "not what its format is"
import csv, json, sys, xml.etree.ElementTree
for path in sys.argv[1:]:
    kind = path.rsplit(".", 1)[1]
    if kind in ("json", "bmf"):
        json.load(open(path))
    if kind == "junit":
        suite = xml.etree.ElementTree.parse(path).getroot()[0]
        assert int(suite.get("tests")) == len(suite.findall("testcase")), path
    if kind == "csv":
        assert len({len(row) for row in csv.reader(open(path, newline=""))}) == 1, path
PYTHON
"$topstacks" report --format=pprof --focus nobody "$tmp/one" >"$tmp/none.pb.gz"
top diff "$tmp/one" --against "$tmp/none.pb.gz"
expect_status 2
expect_err 'no run of new has samples'
grep -q '^nothing compared: new has no samples' "$out" || fail "an empty side is no result"
for words in "$tmp/one" "$tmp/one --against" "--against $tmp/one" "$tmp/none --against $tmp/one" \
	"$tmp/empty --against $tmp/one" "$tmp/one $tmp/one --against $tmp/all" "--base $tmp/no* --new $tmp/x*y" \
	"$tmp/one --against $tmp/all --flamegraph $tmp/flame.png" "$tmp/one --against $tmp/all --format=xml" "$tmp/one --against $tmp/all --fail-on worse" \
	"$tmp/one --against $tmp/all --per second" "$tmp/one --against $tmp/all --per work" \
	"$tmp/one --against $tmp/all --config $tmp/one" "$tmp/one --against $tmp/all --alpha 2" \
	"$tmp/one $tmp/x --against $tmp/all --per second" "$tmp --against $tmp/one" ""; do
	# shellcheck disable=SC2086 # words
	top diff $words
	expect_status 2
	[ "$(wc -l <"$err")" -eq 1 ] || fail "not one sentence: $words"
done

# Raw differences are those of go tool pprof, where it is there.
command -v go >/dev/null || pass
pprof=$(go tool -n pprof) || pass
printf 'machine =\nname =\n' >"$tmp/raw"
top diff "$tmp/base1.pb.gz" --against "$tmp/twice1.pb.gz" --format=json --fail-on none --min-share 0.001 \
	--config "$tmp/raw"
cp "$out" "$tmp/ours.json"
PPROF_TMPDIR=$tmp "$pprof" -symbolize=none -sample_index=samples -nodecount=10000 -nodefraction=0 -top \
	-diff_base "$tmp/base1.pb.gz" "$tmp/twice1.pb.gz" >"$tmp/theirs" 2>/dev/null
python3 - "$tmp/ours.json" "$tmp/theirs" <<'PYTHON' || fail "not as go tool pprof has it"
import json, re, sys
theirs = {}
for line in open(sys.argv[2]):
    match = re.match(r"\s*(-?\d+)\s+\S+%\s+\S+%\s+(-?\d+)\s+\S+%\s+(\S+)", line)
    if match:
        theirs[match[3]] = int(match[1])
compared = 0
for unit in json.load(open(sys.argv[1]))["units"]:
    if unit["kind"] == "self" and unit["name"] in theirs and not unit.get("renamed"):
        ours = unit["new"]["samples"] - unit["base"]["samples"]
        assert ours == theirs[unit["name"]], (unit["name"], ours, theirs[unit["name"]])
        compared += 1
assert compared >= 3 and "spin" in theirs, (compared, theirs)
PYTHON
pass
