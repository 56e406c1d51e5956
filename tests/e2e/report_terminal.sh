#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# report on a terminal: bytes of a profile are not written there, and lines of tables and trees fit in it.
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

# Names of C++ are brief there, and whole in a pipe; the middle of a chain is left out.
cpp='std::map<int, std::string> ns::parse<char, std::allocator<char> >(std::string const&, unsigned long)'
printf 'prog;main;%s;f_1;f_2;f_3;f_4;f_5;f_6;f_7;f_8;f_9;leaf 30\n' "$cpp" >"$tmp/stacks.folded"
fits() {
	[ "$(LC_ALL=C.UTF-8 wc -L <"$tmp/wide")" -le "$1" ]
}
shows() {
	terminal "$1"x40
	command_there "${topstacks@Q} report $2 stacks.folded"
	see "$3"
	[ "$4" = whole ] || ! sees "$4" || fail "report $2 has $4 in $1 columns"
}
shows 60 '--by function' '^ .* ns::parse<> *$' 'allocator'
shows 60 '--tree callees' ' prog → main → … → .*f_9 → leaf *$' 'f_4'
shows 250 '--by function' '^ .* std::map<int, std::string> ns::parse<char, std::allocator<char> >' whole
for words in '--by function' '--tree callees'; do
	# shellcheck disable=SC2086 # words
	top report $words "$tmp/stacks.folded"
	grep -qF "$cpp" "$out" || fail "report $words does not have the whole name in a pipe"
	# shellcheck disable=SC2086 # words
	top report $words --width 50 "$tmp/stacks.folded"
	sed '1,/^$/d' "$out" >"$tmp/wide"
	fits 50 || fail "report $words --width 50 is wider"
	! fits 30 || fail 'the test sees nothing'
done

# What a filter leaves nothing of says so, in tables and trees. That there is no ledger does not mean that nothing ran.
for words in '--by stack' '--by function' '--by comm' '--tree callers'; do
	# shellcheck disable=SC2086 # words
	top report $words --comm nobody "$tmp/stacks.folded"
	expect_status 0
	[ "$(tail -n 2 "$out")" = 'no sample is selected' ] || fail "report $words has an empty table"
done
pass
