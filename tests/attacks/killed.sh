#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Killed at any moment, a run leaves the old file whole, or the new one whole, or none; the next run
# works and removes what was left. At random moments, which SEED repeats; with ALL=1 at two hundred.
. "$(dirname "$0")/lib.sh"

RANDOM=${SEED:=1}
echo "SEED=$SEED"
times=${ALL:+200}
times=${times:-12}
start_attacker bearer -

# kill_within MILLISECONDS ARGUMENTS...: at a moment before that.
kill_within() {
	local after=$((RANDOM % $1))
	"$topstacks" "${@:2}" >"$out" 2>"$err" </dev/null &
	top_pid=$!
	started+=("$top_pid")
	sleep "$((after / 1000)).$(printf %03d $((after % 1000)))"
	end "$top_pid"
}

is_whole() {
	top report --format folded "$1"
	expect_status 0
	[ -s "$out" ] || fail "no samples in $1"
}

dir=$tmp/record
mkdir "$dir"
for ((each = 0; each < times; each++)); do
	[ $((each % 2)) -eq 0 ] || rm -f "$dir/file"
	kill_within 800 record -q -p "$pid" -d 0.3 -F 99 -o "$dir/file"
	[ ! -e "$dir/file" ] || is_whole "$dir/file"
done
top record -q -p "$pid" -d 0.3 -F 99 -o "$dir/file"
expect_status 0
is_whole "$dir/file"
[ "$(ls -A "$dir")" = file ] || fail "left behind: $(ls -A "$dir")"

dir=$tmp/rotate
mkdir "$dir"
for ((each = 0; each < times; each++)); do
	kill_within 2500 record -q -p "$pid" -F 99 --rotate 1 --keep 2 -o "$dir/"
	for file in "$dir"/*.pb.gz; do
		[ ! -e "$file" ] || is_whole "$file"
	done
done
top record -q -p "$pid" -F 99 --rotate 1 --keep 2 -d 3 -o "$dir/"
expect_status 0
[ "$(ls -A "$dir" | wc -l)" -eq 2 ] || fail "left behind: $(ls -A "$dir")"

store=$tmp/store
mkdir "$store"
"$topstacks" record -q -p "$pid" -d 0.5 -F 99 -o "$tmp/run1"
cp "$tmp/run1" "$tmp/run2"
cp "$tmp/run1" "$tmp/run3"
for ((each = 0; each < times; each++)); do
	kill_within 12 baseline --dir "$store" --benchmark b --machine m save "$tmp"/run[123]
	while read -r saved; do
		[ "$(ls "$saved" | wc -l)" -eq 3 ] || fail "half a baseline: $saved: $(ls "$saved")"
		for file in "$saved"/*; do
			is_whole "$file"
		done
	done < <(find "$store" -mindepth 4 -maxdepth 4 -type d -not -name '*.saving')
done
top baseline --dir "$store" --benchmark b --machine m save "$tmp/run1"
expect_status 0
left=$(find "$store" -name '*.saving*' -o -name '*.tmp*')
[ -z "$left" ] || fail "left behind: $left"
pass
