#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Folded text of other tools, and our own again: shares, sums, commands, differences of two runs.
. "$(dirname "$0")/lib.sh"

# rows_of BY FILE: what its table says, without what is between.
rows_of() {
	top report --by "$1" "$2"
	expect_status 0
	awk '/%/ {begun = 1; next} begun {$1 = $1; print}' "$out"
}

# Fractions, as their sums are by hand.
printf 'a;b 0.25\na;c 0.75\n' >"$tmp/fractions"
[ "$(rows_of function "$tmp/fractions")" = '75.0 75.0 0.75 0.75 c
25.0 25.0 0.25 0.25 b
0.0 100.0 0 1 a' ] || fail "fractions are not what they were"
printf 'a;b 3\n' >"$tmp/whole"
top report --format folded "$tmp/fractions" "$tmp/whole"
expect_status 0
[ "$(cat "$out")" = 'a;b 3.25
a;c 0.75' ] || fail "fractions and whole numbers do not add up"
expect_silent

# Both columns of a difference.
printf 'main;hot 1000 3000\nmain;cold 1000 1000\n' >"$tmp/difference"
top report --by function "$tmp/difference"
expect_status 0
expect_err 'is a difference of two runs'
grep -Eq '^ *75\.0 .* hot$' "$out" || fail "the run of after is not shown"
top diff --fail-on none "$tmp/difference" --against "$tmp/difference"
expect_status 0
grep -q 'samples a run: 2,000 → 4,000, +100.0 %' "$out" || fail "the columns were not compared"

# Our own text keeps the programs.
start stacks 3 20
top record -p "$pid" -F 999 -d 1 -o "$tmp/own.pb.gz"
expect_status 0
top report --format folded -o "$tmp/own.folded" "$tmp/own.pb.gz"
expect_status 0
rows_of comm "$tmp/own.folded" | grep -q ' stacks$' || fail "the command is not known any more"
top report --format folded "$tmp/own.folded"
cmp "$out" "$tmp/own.folded" || fail "the text is another one"

# What is of another format has a name.
printf '{"traceEvents": []}\n' >"$tmp/trace.json"
top report "$tmp/trace.json"
expect_status 2
expect_err "it is JSON of Chrome's trace events"
pass
