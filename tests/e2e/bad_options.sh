#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Bad numbers and unknown words are one sentence that names them, and exit status 2.
. "$(dirname "$0")/lib.sh"

refused() {
	local named=$1
	shift
	top "$@"
	expect_status 2
	expect_err "$named"
	[ "$(grep -c ^topstacks: "$err")" -eq 1 ] || fail 'more than one sentence'
	[ ! -s "$out" ] || fail 'text on standard output'
}
refused 'no-such-option' --no-such-option
refused '-F' -F 0
refused '-F' -F -5
refused '-F' -F 1e
refused '-F' -F 99999999999999999999
refused '-i' -i 0
refused '-i' -i nan
refused '-i' -i
refused '-d' -d abc
refused '-n' -n 1.5
refused '-p' -p 12x
refused '-p' -p ,
refused '-C' -C 0-
refused '-C' -C 100000
refused 'max-depth' --max-depth 0
refused '.' -p 1 -a
refused '.' -U -K -p 1
refused 'one of off-cpu, wall and lock' -e off-cpu,lock
refused '--wakers is for waits' --wakers
refused 'off-cpu has neither terms nor modes' -e off-cpu:u
refused 'off-cpu has neither terms nor modes' -e off-cpu/period=3/
refused 'frobnicate' frobnicate
refused 'has no recordings' report "$tmp"

top top --help
expect_status 0
expect_silent
grep -q -- --max-depth "$out" || fail 'no help'
top --version
expect_status 0
grep -qE '^topstacks [0-9]+\.[0-9]+' "$out" || fail 'no version'
pass
