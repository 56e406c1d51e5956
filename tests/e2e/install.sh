#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make install puts program, pages, completions, unit and licence where they belong, with modes for everybody; make uninstall
# leaves what was there before, and nothing else. Without lowdown ready made pages are installed, or none.
. "$(dirname "$0")/lib.sh"
command -v lowdown >/dev/null || skip "no lowdown"

# A tree of its own, in which nothing is built: the program is as new as can be.
mkdir -p "$tmp/tree/build/release" "$tmp/tree/user/completion" "$tmp/home"
cp -r "$root/Makefile" "$root/VERSION" "$root/LICENSE" "$root/dist" "$root/docs" "$root/scripts" "$tmp/tree"
cp -r "$root/user/completion/shells" "$tmp/tree/user/completion"
printf '#!/bin/sh\necho installed\n' >"$tmp/tree/build/release/topstacks"
chmod 755 "$tmp/tree/build/release/topstacks"
touch "$tmp/tree/build/release/libtopstacks-alloc.so"

# in_tree TARGET VARIABLES...: 077 is the umask of whoever is careful; others are to read what is installed.
in_tree() {
	(umask 077 && cd "$tmp/tree" && env -u MAKEFLAGS -u MAKELEVEL -u BUILD make -s -o all -o build/release/topstacks "$@" DESTDIR="$tmp/the dest" PREFIX=/usr) >"$out" 2>"$err"
}

list_of() {
	(cd "$tmp/the dest" && find . ! -type d -printf '%m %p\n' | sort -k 2)
}

# Of somebody else, beside and below ours.
mkdir -p "$tmp/the dest/usr/share/man/man1" "$tmp/the dest/usr/share/doc/topstacks" "$tmp/the dest/usr/bin"
touch "$tmp/the dest/usr/share/man/man1/topstacks-other.1" "$tmp/the dest/usr/share/doc/topstacks/notes" \
	"$tmp/the dest/usr/bin/other"
list_of >"$tmp/before"

in_tree install
expect_silent
list_of >"$tmp/installed"
for file in 755\ ./usr/bin/topstacks 644\ ./usr/share/doc/topstacks/LICENSE 644\ ./usr/share/man/man1/topstacks.1 \
	644\ ./usr/share/man/man1/topstacks-record.1 644\ ./usr/share/man/man5/topstacks-json.5 \
	644\ ./usr/share/man/man7/topstacks-ledger.7 644\ ./usr/lib/topstacks/libtopstacks-alloc.so; do
	grep -qxF "$file" "$tmp/installed" || fail "not installed: $file"
done
[ -z "$(find "$tmp/the dest" -newer "$tmp/before" -type d ! -perm 755)" ] || fail "directories that others cannot read"
[ "$("$tmp/the dest/usr/bin/topstacks")" = installed ] || fail "not the program"
cmp -s "$root/LICENSE" "$tmp/the dest/usr/share/doc/topstacks/LICENSE" || fail "not the licence"
# One for each row, and topstacks.1; that of topstacks-push comes with the program.
wanted=$(($(grep -v '^push ' "$tmp/tree/docs/pages" | grep -c ' [1-9] ') + 1))
[ "$(grep -c /man/ "$tmp/installed")" -eq "$wanted" ] || fail "not all pages"
MANPATH="$tmp/the dest/usr/share/man" man -w topstacks-top >"$out" 2>"$err" || fail "man does not find topstacks-top"
MANPATH="$tmp/the dest/usr/share/man" man topstacks-top 2>"$err" | grep -q 'show where CPU time goes' ||
	fail "man topstacks-top is not the page of topstacks"

in_tree uninstall
list_of >"$tmp/after"
diff "$tmp/before" "$tmp/after" >"$out" || fail "uninstall left something, or took too much"

# Ready made: what is in man/ is installed as it is.
mkdir "$tmp/tree/man"
cp "$tmp"/tree/build/man/* "$tmp/tree/man"
echo '.\" of a release' >>"$tmp/tree/man/topstacks.1"
rm -r "$tmp/tree/build/man"
in_tree install LOWDOWN=
expect_silent
list_of >"$tmp/again"
diff "$tmp/installed" "$tmp/again" >"$out" || fail "ready made pages are installed in another way"
grep -q 'of a release' "$tmp/the dest/usr/share/man/man1/topstacks.1" || fail "not the page that was there"
in_tree uninstall LOWDOWN=

# None at all is no failure.
rm -r "$tmp/tree/man"
in_tree install LOWDOWN=
grep -q 'manual pages are left out' "$out" || fail "nothing is said of the pages"
[ -x "$tmp/the dest/usr/bin/topstacks" ] || fail "no program"
[ ! -e "$tmp/the dest/usr/share/man/man1/topstacks.1" ] || fail "a page from nowhere"
in_tree uninstall LOWDOWN=
list_of >"$tmp/after"
diff "$tmp/before" "$tmp/after" >"$out" || fail "uninstall left something, or took too much"
pass
