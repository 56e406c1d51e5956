#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Where Python's functions are not followed, a program in Python is told so, once; a program in C is not.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

told='functions of Python are not shown: they need unwind tables, not --unwind fp'

# expect_told N OPTIONS...: so many times in three intervals of the target.
expect_told() {
	[ "$minor" -lt 14 ] || return 0 # most of its loop may lie elsewhere, without a name
	top -p "$pid" -F 499 -i 0.5 -d 1.5 "${@:2}"
	expect_status 0
	[ "$(grep -c 'are not shown' "$err")" -eq "$1" ] || fail "not said $1 times with ${*:2}"
	[ "$1" -eq 0 ] || grep -qF "topstacks: $told" "$err" || fail "said something else"
}

told() {
	[ "$minor" -lt 14 ] || return 0 # most of its loop may lie elsewhere, without a name
	start_python mixed.py 100
	expect_told 1 --unwind fp
	expect_told 1 --unwind fp --json
	expect_told 0 --unwind fp --frames native
	expect_told 0
}
some_pythons told
start shares 10
expect_told 0 --unwind fp
pass
