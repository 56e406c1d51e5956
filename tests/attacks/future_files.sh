#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Files that claim to be of the future, by a wrong clock or by malice, do not cost a rotation its own.
. "$(dirname "$0")/lib.sh"

mkdir "$tmp/dir"
for day in 1 2 3 4; do
	: >"$tmp/dir/topstacks-2099010${day}T000000.000Z.pb.gz"
done
limited 512 30 record -q -a -F 99 --rotate 1 --keep 2 -d 3 -o "$tmp/dir/"
expect_status 0
mapfile -t files < <(find "$tmp/dir" -name 'topstacks-20[2-8]*' | sort)
[ "${#files[@]}" -ge 1 ] || fail "no file of this run is left: $(ls "$tmp/dir")"

# Nor do a directory or a link that are called like its files.
mkdir "$tmp/dir/topstacks-20000101T000000.000Z.pb.gz" "$tmp/dir/topstacks-20000101T000000.000Z.pb.gz.tmp-0123abcd"
ln -s nothing "$tmp/dir/topstacks-20000102T000000.000Z.pb.gz"
limited 512 30 record -a -F 99 --rotate 1 --keep 1 -d 2 -o "$tmp/dir/"
expect_status 0
! grep -q cannot "$err" || fail "stumbles over what is no file: $(cat "$err")"
mapfile -t files < <(find "$tmp/dir" -type f -name 'topstacks-20[2-8]*' | sort)
[ "${#files[@]}" -eq 1 ] || fail "not the newest one: ${files[*]}"
top report "${files[@]}" # which may be of its last moments, without a sample
expect_status 0
grep -q '^ledger ' "$out" || fail "no recording"
pass
