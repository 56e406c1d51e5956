#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Each document is a manual page, but those for who works on topstacks. Pages are without mistakes for man
# and mandoc, have names that apropos finds, fit a terminal of 80 columns, and refer to pages that there are.
. "$(dirname "$0")/lib.sh"
for tool in lowdown man mandoc lexgrog; do
	command -v "$tool" >/dev/null || skip "no $tool"
done

mapfile -t pages < <(awk '$2 ~ /^[0-9]$/ { print "topstacks" ($1 == "topstacks.1" ? "" : "-" $1) "." $2 }' "$root/docs/pages")
[ "${#pages[@]}" -ge 20 ] || fail 'too few pages: the test sees nothing'
for page in "${pages[@]}"; do
	mkdir -p "$tmp/man/man${page##*.}"
	"$root/scripts/man/page" --version 1.2.3 "$page" >"$tmp/man/man${page##*.}/$page"
done

for document in "$root"/docs/*.md; do
	name=$(basename "$document" .md)
	grep -q "^$name [1-9] " "$root/docs/pages" || [[ $name =~ ^(hacking|dependencies|packaging)$ ]] ||
		fail "docs/pages has no row for $name"
done

# Words that nobody can break stand in one line, a command's with the backslash behind it.
too_wide() { # some awks count bytes
	LC_ALL=C.UTF-8 grep -E '^.{81}' "$1" | LC_ALL=C.UTF-8 grep -vE '^ *[^ ]+( \\)?$'
}

for page in "$tmp"/man/*/*; do
	name=$(basename "$page")
	! grep -q '^\.so ' "$page" || continue
	lexgrog "$page" | grep -qF ": \"${name%.*} - " || fail "$name: apropos finds no name"
	(cd "$tmp/man" && LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings=w -l "$page" 2>"$err" | col -bx >"$out") || true
	sed -i '/table text block will not fit on one page/d' "$err" # a terminal has no pages
	expect_silent
	! too_wide "$out" >"$err" || fail "$name: lines that are too wide"
	! grep -nE '^ *\| |\|-' "$out" >"$err" || fail "$name: a table that is none"
	# Dates would be of the day on which a page was made.
	mandoc -T lint -W warning "$page" | grep -v 'missing date' >"$out" || true
	[ ! -s "$out" ] || fail "$name: mandoc complains"
	if grep -nE '\\fC|\]\(|<\\fI[^h]' "$page" >"$out"; then
		fail "$name: what is for the web"
	fi
	sed 's/\\-/-/g; s/\\fR//g' "$page" | grep -oE 'topstacks(-[a-z]+)*\([1-9]\)' | sed 's/(\(.\))/.\1/' | sort -u |
		while read -r other; do
			[ -f "$tmp/man/man${other##*.}/$other" ] || fail "$name refers to $other, which is not there"
		done
done

# Numbers of an example, as they are read: code keeps its hyphens, its quotes and its table.
MANWIDTH=80 man -l "$tmp/man/man1/topstacks-record.1" 2>"$err" | col -bx >"$out"
for text in 'topstacks record -F 999 --user "$USER" -o build.pb.gz -- make -j8' '       -o, --output FILE' \
	'       topstacks-record - sample, and write a file'; do
	grep -qF -- "$text" "$out" || fail "topstacks-record(1) has no line: $text"
done
pass
