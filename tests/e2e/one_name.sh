#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A function has the name of its symbol, with lines and without, though debug information has another one, as glibc's
# write is __GI___libc_write there. Here it is shown, is inlined into itself, and __shown_inside is its other name.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/names.c" <<'PROGRAM'
unsigned __shown_inside(unsigned n);
extern unsigned shown(unsigned) __attribute__((alias("__shown_inside")));
unsigned __shown_inside(unsigned n)
{
	return n < 2 ? n : __shown_inside(n - 1) + __shown_inside(n - 2);
}
int main(void)
{
	unsigned (*volatile call)(unsigned) = shown;
	return call(42) == 7;
}
PROGRAM
${CC:-gcc} -g -O3 -o "$tmp/names" "$tmp/names.c"
for how in "" --no-lines; do
	top record -q $how -F 999 -o "$tmp/run.pb.gz" -- "$tmp/names"
	expect_status 0
	top report --format folded "$tmp/run.pb.gz"
	expect_status 0
	grep -q ';shown' "$out" || fail "shown is not there ($how)"
	! grep -q '__shown_inside' "$out" || fail "shown has two names ($how)"
	[ -n "$how" ] || grep -q ';shown_\[i\]' "$out" || fail "shown is not inlined into itself: the test needs another program"
done
pass
