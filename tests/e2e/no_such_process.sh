#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An id that is nobody's is one sentence and exit status 2, not zero samples.
. "$(dirname "$0")/lib.sh"

gone() {
	true &
	gone=$!
	wait "$gone"
}
gone
top -p "$gone" -d 1
expect_status 2
expect_err "no such process"
expect_err "$gone"
[ "$(wc -l <"$err")" -eq 1 ] || fail 'more than one line'
[ ! -s "$out" ] || fail 'text on standard output'

top -t "$gone" -d 1
expect_status 2
expect_err "$gone"

# One of several is an error too.
start sleeper 10
top -p "$pid,$gone" -d 1
expect_status 2
pass
