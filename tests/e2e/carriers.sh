#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# diff names the paths that carry an increase: of a program in which one caller has four fifths of it by its
# source, another one fifth, and a third nothing; and in which formats, and how long they may get.
. "$(dirname "$0")/lib.sh"

# In turns, so that the machine's moods are on both sides.
for i in 1 2 3; do
	for side in base:0 new:2; do
		top record -q -F 4999 --lines -o "$tmp/${side%:*}$i.pb.gz" -- "$workloads/callers" "${side#*:}" 1500
		expect_status 0
	done
done
compare() {
	top diff --per share "$tmp"/base[123].pb.gz --against "$tmp"/new[123].pb.gz "$@"
}

compare --format json
expect_status 1
python3 - "$out" <<'PYTHON' || fail "see above"
import json, sys
units = json.load(open(sys.argv[1]))["units"]
increase = next(unit["increase"] for unit in units if (unit["name"], unit["kind"]) == ("hot", "self"))
parts = {" ".join(carrier["path"]): carrier["part"] for carrier in increase["callers"]}
assert set(parts) == {"handle_request parse", "load_config parse"}, parts
assert abs(parts["handle_request parse"] - 0.8) < 0.08, parts
assert abs(parts["load_config parse"] - 0.2) < 0.08, parts
assert abs(sum(parts.values()) + increase["other_callers"] - 1) < 0.01, increase
for carrier in increase["callers"]:
    assert carrier["file"].endswith("callers.c") and carrier["line"] > 0, carrier
lines = {carrier["line"] for carrier in increase["lines"]}
assert lines, increase
# What calls it passes all of it on, and is no news; who did not become slower has no explanation.
for unit in units:
    assert ("increase" in unit) <= (unit["verdict"] == "regressed"), unit
PYTHON
compare
grep -qE '^ +(7[2-9]|8[0-8]) % of the increase via handle_request → parse → hot, called at .*callers\.c:[0-9]+$' "$out" ||
	fail "not in the text"
compare --format github
grep -qE '^::error title=hot .*; (7[2-9]|8[0-8]) %25 of the increase via handle_request → parse → hot' "$out" ||
	fail "not in the annotation"
compare --format markdown
grep -qE '^- (7[2-9]|8[0-8]) % of the increase via `handle_request → parse → hot`, called at `' "$out" ||
	fail "not in the comment"
grep -q '^<details><summary>How it was compared</summary>$' "$out" || fail "no details"

# Where there is little room, why comes before the names of those that only call it.
for copy in a b c; do
	for side in 0 1; do
		path='_start;__libc_start_main;__libc_start_call_main;main'
		printf "$path;%s\n" "request;parse;hot $((10000 + 8000 * side))" "rest 20000" >"$tmp/short$side$copy"
	done
done
top diff --per work --work-base 1 --work-new 1 --format markdown --budget 1000 "$tmp"/short0? --against "$tmp"/short1?
expect_status 1
grep -q '^\*\*Why\*\* `hot` regressed' "$out" || fail "not said why"
[ "$(grep -nE '^(\*\*Why|Slower because they call these: )' "$out" | tail -n 1 | grep -c Slower)" = 1 ] ||
	fail "callers are not named behind it"

# Hundreds of changes, of names that would like to be more than names, in any number of bytes.
python3 - "$tmp" <<'PYTHON'
import random, sys
random.seed(7)
for side in 0, 1:
    with open(f"{sys.argv[1]}/many{side}", "w", encoding="utf-8") as file:
        print("main;steady", 200000, file=file)
        for i in range(300):
            name = random.choice(["a`b|c", "@all #1", "<img src=x>", "![x](http://x)", "é€" * 90, "\u202ee", "</details>"])
            print(f"main;c{i % 7};{name} {i}", 1500 * (1 + side * (i % 3)), file=file)
PYTHON
for copy in a b c; do
	cp "$tmp/many0" "$tmp/many0$copy"
	cp "$tmp/many1" "$tmp/many1$copy"
done
for budget in 1000 1001 1250 1500 2000 3333 5000 10000 30000 1000000; do
	top diff --per work --work-base 1 --work-new 1 --min-share 0.01 --rows 400 --format markdown --budget "$budget" "$tmp"/many0? --against "$tmp"/many1?
	python3 - "$out" "$budget" <<'PYTHON' || fail "budget $budget"
import re, sys
text = open(sys.argv[1], "rb").read()
assert len(text) <= int(sys.argv[2]), len(text)
text = text.decode()
assert text.startswith("### Profile: ") and text.endswith("\n")
for line in text.splitlines():
    assert line.count("`") % 2 == 0, line
    assert not line.startswith("|") or line.count("|") == 9, line
    outside = re.sub("`[^`]*`", "", line)
    assert not re.search(r"@|#1|<img|\]\(|http|\u202e", outside), line
assert text.count("\n<details>") == text.count("\n</details>\n"), text
PYTHON
done
[ "$(grep -c '^|' "$out")" -gt 150 ] || fail "a large budget is not used"
top diff --format markdown --budget 999 "$tmp/many0" --against "$tmp/many1"
expect_status 2
grep -q 'for --budget: expected a whole number from 1000 to ' "$err" || fail "no sentence"
pass
