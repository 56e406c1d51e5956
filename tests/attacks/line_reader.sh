#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Source lines are looked for where there is nothing to look with, or where there is a trap instead of
# debug information: the run ends on time and says what kept the lines away.
. "$(dirname "$0")/lib.sh"

cat >"$den/split.c" <<'C'
static volatile unsigned long turns;
static void __attribute__((noinline)) burn(void) { for (int i = 0; i < 100000; i++) turns++; }
int main(void) { __builtin_puts("ready"); __builtin_fflush_(); for (;;) burn(); }
C
sed -i 's/__builtin_fflush_();//; 1i #include <stdio.h>' "$den/split.c"
sed -i 's/__builtin_puts("ready");/puts("ready"); fflush(stdout);/' "$den/split.c"
(cd "$den" && gcc -O1 -g -gsplit-dwarf -o split split.c)
dwo=$(find "$den" -name '*.dwo')
[ -n "$dwo" ] || fail "no .dwo"
chown -R "$attacker_uid" "$den"
start_as_attacker "$den/split"

has_lines() {
	read_profile "$tmp/profile"
	check "$pid" <<-'PYTHON'
		ours = [s for s in run.samples if s.pid == int(args[0]) and s.user]
		expect_at_least("samples", sum(s.count for s in ours), 10)
		expect_at_least("with a line", sum(s.count for s in ours if s.user[0].get("line")), 10)
	PYTHON
}
limited 512 60 record -q --lines -p "$pid" -d 1 -F 499 -o "$tmp/profile"
expect_status 0
has_lines

# A FIFO, and a device that never ends.
rm "$dwo"
mkfifo "$dwo"
chown "$attacker_uid" "$dwo"
limited 512 60 record -q --lines -p "$pid" -d 1 -F 499 -o "$tmp/profile"
expect_status 0
expect_on_time 1
rm "$dwo"
ln -s /dev/zero "$dwo"
limited 512 60 record -q --lines -p "$pid" -d 1 -F 499 -o "$tmp/profile"
expect_status 0
expect_on_time 1
pass
