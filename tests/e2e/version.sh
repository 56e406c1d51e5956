#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --version is a key and its value a line, and says what is so; nothing in the program tells where it was built.
. "$(dirname "$0")/lib.sh"

value() {
	sed -n "s/^$1 //p" "$out"
}

top --version
expect_status 0
expect_silent
! grep -qvE '^[a-z]+ [^ ].*$' "$out" || fail 'a line that is not a key and its value'
[ "$(value topstacks)" = "$(cat "$root/VERSION")" ] || fail 'not the version of the tree'

[ "$(sed -n '/^## /{s/^## \([0-9.]*\).*/\1/p;q}' "$root/CHANGELOG.md")" = "$(cat "$root/VERSION")" ] || fail 'CHANGELOG.md begins with another version'
[[ $(head -n 1 "$root/debian/changelog") == "topstacks ($(cat "$root/VERSION")"[-\)]* ]] || fail "debian/changelog begins with another version"

commit=$(value commit)
if [ -d "$root/.git" ] || [ -f "$root/.git" ]; then
	[ "$(git -C "$root" cat-file -t "${commit%-dirty}")" = commit ] || fail 'no commit of this tree'
fi

library=$(ldd "$topstacks" 2>/dev/null | awk '$1 ~ /^libbpf[.]so/ { print $3 }' || true)
if [ -n "$library" ]; then
	[[ $(basename "$(realpath "$library")") == libbpf.so.$(value libbpf)* ]] || fail "not the version of $library"
	[[ " $(value features) " == *' shared '* ]] || fail 'does not say that it is shared'
else
	[[ " $(value features) " == *' static '* ]] || fail 'does not say that it is static'
fi

! grep -qaF -e "$root/user/" -e "$root/kern/" -e "$root/include/" -e "$root/build/" "$topstacks" ||
	fail 'tells where it was built'
pass
