#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The tarball has every file of the tree and the commit, is nobody's, and the same whoever makes it when.
# That it builds, tests/release/run finds.
. "$(dirname "$0")/lib.sh"

[ -e "$root/.git" ] || skip 'a tarball is made from a clone'
name=topstacks-$(cat "$root/VERSION")
MAKEFLAGS='' make -s -C "$root" man >/dev/null
"$root/scripts/dist" "$tmp/one/$name.tar.gz"
(umask 077 && cd / && TZ=Asia/Tokyo LC_ALL=C.UTF-8 "$root/scripts/dist" "$tmp/two/$name.tar.gz")
cmp "$tmp/one/$name.tar.gz" "$tmp/two/$name.tar.gz" || fail 'two of them differ'

tar tzf "$tmp/one/$name.tar.gz" | grep -v '/$' | sed "s|^$name/||" | grep -vx COMMIT >"$tmp/files"
grep -v '^man/' "$tmp/files" | sort >"$tmp/listed"
grep -q '^man/topstacks-ledger[.]7$' "$tmp/files" || fail 'no manual pages'
git -C "$root" ls-files | grep -vE '^[.](gitignore|ci/)' | sort >"$tmp/known"
diff "$tmp/known" "$tmp/listed" || fail 'not the files of the tree'
! tar tvzf "$tmp/one/$name.tar.gz" | grep -vE '^[d-]rw(x|-)r-(x|-)r-\1 0/0 ' || fail 'somebody owns or may change these'

tar xzf "$tmp/one/$name.tar.gz" -C "$tmp"
commit=$(cat "$tmp/$name/COMMIT")
[ "$commit" = "$("$root/scripts/commit")" ] && [ "$commit" = "$("$tmp/$name/scripts/commit")" ] || fail "another commit"
[ "$(make -s -C "$tmp/$name" help | grep -c 'make install')" -ge 1 ] || fail 'make does not read its file'
pass
