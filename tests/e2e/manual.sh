#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Each command has a manual page, with every option that its --help has, and no other, the same defaults
# and the same synopsis. What documents link to is there. The notices have theirs.
. "$(dirname "$0")/lib.sh"

python3 -B "$root/tests/e2e/notices.py" "$root" >"$out" || fail "notices that docs/notices.md has not"
python3 -B "$root/tests/e2e/document_links.py" "$root"/*.md "$root"/docs/*.md >"$out" || fail "links that lead nowhere"

for tool in lowdown man; do
	command -v "$tool" >/dev/null || skip "no $tool"
done
top --help
expect_status 0
mapfile -t commands < <(sed -n '/^Commands:/,$s/^  \([a-z]\+\) .*/\1/p' "$out")
[ "${#commands[@]}" -ge 7 ] || fail 'too few commands: the test sees nothing'
for command in "${commands[@]}"; do
	"$topstacks" "$command" --help >"$tmp/help-$command"
	page=topstacks-$command
	[ "$command" != top ] || page=topstacks
	"$root/scripts/man/page" "$page.1" >"$tmp/$page.1" || fail "$command has no page"
	MANWIDTH=400 man -l "$tmp/$page.1" 2>"$err" | col -bx >"$tmp/page-$command"
	[ "$command" = top ] || grep -q "topstacks-$command(1)" "$tmp/page-top" || fail "topstacks(1) does not name $command"
done
[ -x "$build/topstacks-push" ] || make -s -C "$root" fleet
"$build/topstacks-push" --help >"$tmp/help-push"
"$root/scripts/man/page" topstacks-push.1 >"$tmp/topstacks-push.1"
MANWIDTH=400 man -l "$tmp/topstacks-push.1" 2>"$err" | col -bx >"$tmp/page-push"
python3 -B "$root/tests/e2e/manual.py" "$tmp" "${commands[@]}" push >"$out" || fail 'the pages and --help differ'
pass
