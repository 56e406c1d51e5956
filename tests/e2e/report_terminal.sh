#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# report on a terminal: bytes of a profile are not written there.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/terminal.sh"

printf 'main;parse 30\nmain;fold 10\n' >"$tmp/stacks.folded"
terminal 100x40
report_there() {
	command_there "${topstacks@Q} report $* stacks.folded 2>err"
	expect_end
}
for words in '--format=pprof' '--format=pprof -o -'; do
	report_there "$words"
	expect_status 2
	expect_err '^topstacks: a profile is not for terminals; use -o FILE, or a pipe$'
done
report_there --format=pprof -o there.pb
expect_status 0
command_there "${topstacks@Q} report --format=pprof stacks.folded | cat >piped.pb"
expect_end
expect_status 0
cmp "$tmp/there.pb" "$tmp/piped.pb" || fail 'a pipe gets another profile than a file'
pass
