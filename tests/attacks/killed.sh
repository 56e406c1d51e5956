#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Killed at any moment, a run leaves the old file whole, or the new one whole, or none, and nothing else;
# what a kill at the worst moment leaves is gone with the next run. At random moments, which SEED repeats,
# and before each system call that has to do with files. With ALL=1 at two hundred moments of each kind.
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

# expect_only DIRECTORY NAME: there is that file, or nothing.
expect_only() {
	local left
	left=$(ls -A "$1")
	[ -z "$left" ] || [ "$left" = "$2" ] || fail "left behind: $left"
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
	expect_only "$dir" file
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
	[ -z "$(find "$dir" -name '*.tmp-*')" ] || fail "left behind: $(ls -A "$dir")"
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

# ---- before each system call ----

printf 'main;new 1\n' >"$tmp/profile"
dir=$tmp/each
mkdir "$dir"

# write_file STRACE...: report writes a file.
write_file() {
	status=0
	timeout --signal=KILL 30 strace -qq -o "$tmp/calls" "$@" "$topstacks" report --format folded -o "$dir/file" \
		"$tmp/profile" >"$out" 2>"$err" </dev/null &
	wait "$!" 2>/dev/null || status=$?
}

# Counts in nr_left what the next run had to remove.
expect_old_or_new() {
	local content
	content=$(cat "$dir/file" 2>/dev/null) || true
	[ "$content" = "$1" ] || [ "$content" = 'main;new 1' ] || fail "half a file: $content"
	[ -n "$(find "$dir" -mindepth 1 ! -name file -print -quit)" ] || return 0
	nr_left=$((nr_left + 1))
	write_file -e trace=none
	expect_only "$dir" file
}

# kill_each CONTENT STRACE...: over a file of that content; "": there is none.
kill_each() {
	local content=$1 call when killed nr_killed=0
	shift
	nr_left=0
	for call in write close fsync linkat /^rename fchmod flock /^unlink; do
		status=137
		for ((when = 1; status == 137; when++)); do
			rm -f "$dir"/*
			[ -z "$content" ] || echo "$content" >"$dir/file"
			write_file "$@" -e inject="$call:signal=KILL:when=$when"
			[ "$status" -ne 137 ] || nr_killed=$((nr_killed + 1))
			killed=$status
			expect_old_or_new "$content"
			status=$killed
		done
		[ "$status" -eq 0 ] || fail "exit status $status"
	done
	[ "$nr_killed" -gt 10 ] || fail "killed $nr_killed times only"
}

kill_each ''
[ "$nr_left" -eq 0 ] || fail "a new file has a temporary name, which was left behind $nr_left times"
kill_each 'main;old 1'
[ "$nr_left" -eq 1 ] || fail "between a link and a rename is one moment, but something was left behind $nr_left times"

# As on a file system that has no files without names.
write_file -e trace=openat
at=$(awk '/openat\(/ { nr++ } /O_TMPFILE/ { print nr; exit }' "$tmp/calls")
kill_each 'main;old 1' -e inject=openat:error=EOPNOTSUPP:when="$at"
[ "$nr_left" -gt 1 ] || fail "no file had a temporary name"
pass
