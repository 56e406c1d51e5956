#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Links that somebody put into a store of baselines lead nowhere: prune removes nothing outside of it,
# and save writes nothing there. Names are not printed raw.
. "$(dirname "$0")/lib.sh"

printf 'main;f 1\n' >"$tmp/profile"
store=$tmp/store
for _ in 1 2 3; do
	top baseline --dir "$store" --benchmark b --machine m save "$tmp/profile"
	expect_status 0
done
mkdir "$tmp/outside" "$tmp/elsewhere"
touch "$tmp/outside/run-001" "$tmp/elsewhere/run-001"

# A baseline that is a link, the oldest one.
ln -s "$tmp/outside" "$store/b/m/main/20200101T000000.000Z"
# A whole branch.
mkdir -p "$tmp/elsewhere/20200101T000000.000Z" "$tmp/elsewhere/20200102T000000.000Z"
touch "$tmp/elsewhere/20200101T000000.000Z/run-001" "$tmp/elsewhere/20200102T000000.000Z/run-001"
ln -s "$tmp/elsewhere" "$store/b/m/branch"
top baseline --dir "$store" --keep 1 prune
[ -e "$tmp/outside/run-001" ] || fail "removed what is outside of the store"
[ -e "$tmp/elsewhere/20200101T000000.000Z/run-001" ] || fail "removed what a link to a branch leads to"

# Directories that are called like runs, and other things, keep no other baseline from going.
kin=$store/b/m/stuck
mkdir -p "$kin"/2020010{1,2,3,4}T000000.000Z "$kin/20200101T000000.000Z/run-000"
touch "$kin"/2020010{1,2,3,4}T000000.000Z/run-001 "$kin/20200102T000000.000Z/notes"
status=0
"$topstacks" baseline --dir "$store" --branch stuck --keep 1 prune >"$out" 2>"$err" || status=$?
expect_status 4
expect_err 'cannot remove ".*/stuck/2020010.*: directory not empty; remove from it all that is not a run; 1 more could not'
[ "$(cat "$out")" = "$kin/20200103T000000.000Z" ] || fail "removed: $(cat "$out")"
[ "$(cd "$kin" && echo ./*/*)" = "$(printf './2020010%s ' 1T000000.000Z/run-000 1T000000.000Z/run-001 \
	2T000000.000Z/notes 2T000000.000Z/run-001 4T000000.000Z/run-001 | sed 's/ $//')" ] ||
	fail "left: $(cd "$kin" && echo ./*/*)"

# A FIFO among the runs is not waited for.
mkdir "$tmp/runs"
mkfifo "$tmp/runs/run-001"
for words in "diff $tmp/runs --against $tmp/profile" "diff --base $tmp/runs/* --new $tmp/profile" \
	"baseline --dir $store save $tmp/runs"; do
	# shellcheck disable=SC2086 # words, and no pattern is the shell's
	(set -f && exec timeout --signal=KILL 30 "$topstacks" $words) >"$out" 2>"$err" </dev/null && fail "succeeds: $words"
	expect_err 'run-001" is no file$'
done

mkdir -p "$store/b/m/$(printf 'br%%1B%%5B31m')/20200101T000000.000Z"
touch "$store/b/m/$(printf 'br%%1B%%5B31m')/20200101T000000.000Z/run-001"
top baseline --dir "$store" list
! grep -q $'\033' "$out" || fail "a name is printed raw"
pass
