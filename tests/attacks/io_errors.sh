#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# System calls on the way to the output that fail: the output is the old one, or the new one, never a
# part, and what was not written has no exit status 0.
. "$(dirname "$0")/lib.sh"

for ((i = 0; i < 400; i++)); do echo "main;function_$i $i"; done >"$tmp/profile"
dir=$tmp/dir
mkdir "$dir"
"$topstacks" report --format folded -o "$dir/whole" "$tmp/profile"
mv "$dir/whole" "$tmp/whole"

# attempt CALLS ERROR WHEN
attempt() {
	local changed
	echo 'main;old 1' >"$dir/file"
	status=0
	timeout --signal=KILL 30 strace -f -qq -o "$tmp/calls" -e trace="$1" -e inject="$1:error=$2:when=$3" \
		"$topstacks" report --format folded -o "$dir/file" "$tmp/profile" >"$out" 2>"$err" </dev/null || status=$?
	[ "$status" -lt 126 ] || fail "exit status $status: $*"
	changed=$(cat "$dir/file")
	if [ "$changed" = 'main;old 1' ]; then
		[ "$status" -ne 0 ] || fail "nothing was written, and the exit status is 0: $*"
	else
		cmp -s "$dir/file" "$tmp/whole" || fail "half a file: $*"
	fi
	if grep -q 'all of it is in' "$err"; then
		cmp -s "$dir"/file.?* "$tmp/whole" || fail "not all of it: $*"
		rm "$dir"/file.?*
	fi
	[ "$(ls -A "$dir")" = file ] || fail "left behind, $*: $(ls -A "$dir")"
}

for error in EIO ENOSPC EDQUOT; do
	for when in 1 2 1+; do
		attempt write,pwrite64,writev $error $when
	done
done
attempt rename,renameat,renameat2 EIO 1+
attempt fchmod EIO 1+
attempt fsync,fdatasync EIO 1+
[ "$status" -ne 0 ] || fail "it is not on the disk, and the exit status is 0"

# What is read fails.
status=0
strace -f -qq -o "$tmp/calls" -P "$tmp/profile" -e trace=read,pread64,mmap -e inject=read,pread64,mmap:error=EIO \
	"$topstacks" report "$tmp/profile" >"$out" 2>"$err" </dev/null || status=$?
expect_status 2
expect_err 'input/output error'
pass
