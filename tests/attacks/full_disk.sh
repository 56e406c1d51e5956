#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A disk that is full is one sentence and exit status 4, the old file is whole, and nothing is left
# behind. A rotation goes on, says so, and writes again when there is room.
. "$(dirname "$0")/lib.sh"

disk=$tmp/disk
mkdir "$disk"
mount -t tmpfs -o size=256k attacks "$disk"
undo+=("umount -l '$disk'")
start shares 100
fill() {
	dd if=/dev/zero of="$disk/filler" bs=4k status=none 2>/dev/null || true
}

echo 'main;old 1' >"$disk/file"
fill
limited 512 20 record -q -p "$pid" -d 1 -F 999 -o "$disk/file"
expect_status 4
expect_err 'no space left'
[ "$(cat "$disk/file")" = 'main;old 1' ] || fail "the old file changed"
[ "$(ls -A "$disk" | sort | paste -sd ' ')" = 'file filler' ] || fail "left behind: $(ls -A "$disk")"

printf 'main;f 1\n' >"$tmp/profile"
limited 512 20 report --format html -o "$disk/page" "$tmp/profile"
expect_status 4
expect_err 'no space left'
[ ! -e "$disk/page" ] || fail "half a page"

limited 512 20 baseline --dir "$disk/store" save "$tmp/profile"
expect_status 4
[ -z "$(find "$disk" -name 'run-*')" ] || fail "half a baseline"

mkdir "$disk/dir"
rm "$disk/file"
fill
top_start record -q -p "$pid" -F 999 --rotate 1 -o "$disk/dir/"
wait_for grep -qi 'no space left' "$err"
rm "$disk/filler"
has_file_or_ended() {
	[ -n "$(find "$disk/dir" -name '*.pb.gz')" ] || ! kill -0 "$top_pid"
}
wait_for has_file_or_ended
kill -INT "$top_pid" || fail "has ended"
top_wait
top report "$disk"/dir/*.pb.gz
expect_status 0
pass
