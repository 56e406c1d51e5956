#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# baseline: what is saved is found again by its names, whatever they are made of, and the oldest go.
. "$(dirname "$0")/lib.sh"

printf 'main;a 1000\nmain;b 3000\n' >"$tmp/one"
printf 'main;a 1010\nmain;b 3010\n' >"$tmp/two"
"$topstacks" report --format=pprof -o "$tmp/three.pb.gz" "$tmp/two"
cd "$tmp" || exit

top baseline show
expect_status 2
expect_err 'no baseline of benchmark "default", machine ".*", branch "main"'
top baseline list
expect_status 0
expect_silent
[ ! -s "$out" ] || fail "a list of nothing"

top baseline --benchmark sort --machine m --branch feature/x save one two three.pb.gz
expect_status 0
first=$(cat "$out")
[ "$(ls "$first")" = "$(printf 'run-001\nrun-002\nrun-003.pb.gz')" ] || fail "not the three runs"
cmp one "$first/run-001" && cmp three.pb.gz "$first/run-003.pb.gz" || fail "copies differ"
top baseline --benchmark sort --machine m --branch '../*' save one
expect_status 0
[[ $(cat "$out") == baselines/sort/m/%2E.%2F%2A/* ]] || fail "a name leads elsewhere: $(cat "$out")"
top baseline --benchmark sort --machine m --branch feature/x show
[ "$(cat "$out")" = "$first" ] || fail "not what was saved"
top diff "$first" --against one two --fail-on none
expect_status 0
grep -q '^base: 3 runs' "$out" || fail "diff does not take what show prints"

# The newest is shown; only the oldest of its kin go.
sleep 0.01 # times are in milliseconds
top baseline --benchmark sort --machine m --branch feature/x save two
second=$(cat "$out")
top baseline --benchmark sort --machine m --branch feature/x show
[ "$(cat "$out")" = "$second" ] || fail "not the newest"
top baseline list
expect_status 0
[ "$(grep -c '^sort  *m  *feature/x .* [31]$' "$out")" -eq 2 ] || fail "not listed"
[ "$(wc -l <"$out")" -eq 4 ] || fail "not all three"
touch "$first/other"
top baseline --keep 1 prune
expect_status 4
expect_err 'cannot remove'
rm "$first/other"
top baseline --keep 1 prune
expect_status 0
[ "$(cat "$out")" = "$first" ] && [ ! -e "$first" ] && [ -e "$second" ] || fail "pruned: $(cat "$out")"
[ "$(find baselines -name '*.saving' | wc -l)" -eq 0 ] || fail "something is left behind"

# Many at once: each saves its own, whole; and what one prunes is no error of another.
for i in $(seq 20); do
	"$topstacks" baseline --branch many save one two three.pb.gz >"saved-$i" &
	pids[i]=$!
done
for i in $(seq 20); do wait "${pids[i]}" || fail "one of many could not save"; done
[ "$(cat saved-* | sort -u | wc -l)" -eq 20 ] || fail "two share a baseline"
top baseline --branch many list
[ "$(grep -c ' 3$' "$out")" -eq 20 ] || fail "not 20 of 3 runs each"
for i in $(seq 8); do
	"$topstacks" baseline --branch many --keep 2 prune >"pruned-$i" &
	pids[i]=$!
done
for i in $(seq 8); do wait "${pids[i]}" || fail "one of many could not prune"; done
top baseline --branch many list
[ "$(grep -c ' 3$' "$out")" -eq 2 ] || fail "not the newest two are left"

# What is no run is not saved, and a directory stands for its runs.
echo 'no profile' >bad
ln -s one same
for words in "save bad" "save" "save none" "" "keep" "list one" "save one one" "save one same"; do
	# shellcheck disable=SC2086 # words
	top baseline --branch bad $words
	expect_status 2
	[ "$(wc -l <"$err")" -eq 1 ] || fail "not one sentence: $words"
done
top baseline --branch bad list
[ ! -s "$out" ] || fail "what could not be read is saved"
top baseline --branch again save "$second"
expect_status 0
pass
