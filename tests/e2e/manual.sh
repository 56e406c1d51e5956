#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The manual has every option of every command, and no other; the pages that it names are there. The notices
# have theirs.
. "$(dirname "$0")/lib.sh"

options() {
	grep -oE '(^|[^-[:alnum:]])--[a-z][a-z-]+' "$@" | grep -oE -- '--[a-z-]+' | sort -u
}

top --help
expect_status 0
options "$out" >"$tmp/help"
[ "$(wc -l <"$tmp/help")" -gt 10 ] || fail 'too few options: the test sees nothing'
for command in record report diff baseline list doctor; do
	top "$command" --help
	options "$out" >>"$tmp/help"
done
sort -u -o "$tmp/help" "$tmp/help"

grep -E '^`-|^    (sudo )?topstacks' "$root/docs/topstacks.1.md" >"$tmp/manual"
options "$tmp/manual" >"$tmp/documented"
diff "$tmp/help" "$tmp/documented" >"$out" || fail 'the manual (>) and --help (<) differ'

python3 -B "$root/tests/e2e/notices.py" "$root" >"$out" || fail "notices that docs/notices.md has not"

for page in topstacks.1 notices events record report diff baseline ci formats list doctor permissions exit-codes; do
	while read -r link; do
		[ -f "$root/docs/$link" ] || fail "docs/$page.md names docs/$link, which is not there"
	done < <(grep -oE '\]\([a-z0-9./-]+\.md\)' "$root/docs/$page.md" | tr -d '()]' || true)
done
pass
