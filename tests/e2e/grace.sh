#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Nobody is late: 3,000 changes of generations under a tracepoint that every CPU hits all the time, and no
# program ends in a generation that was closed. Likewise under the scheduler's switches. Without the wait, hundreds do.
. "$(dirname "$0")/lib.sh"

# flips ARGUMENTS...: {"flips": N, "runs": N, "late": N, "longest_us": N}
flips() {
	"$build/oracle/grace_flips" "$@" >"$out" 2>"$err" || fail "grace_flips $*"
}

field() {
	sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$out"
}

# no_one_is_late hits|switches
no_one_is_late() {
	flips "$1" 3000
	[ "$(field flips)" -eq 3000 ] || fail "$1: not all changes were made"
	[ "$(field runs)" -gt 10000 ] || fail "$1: hardly any"
	[ "$(field late)" -eq 0 ] || fail "$1: a program was late"
	# Beside other work the CPUs that hit may have no turn while generations change: so until one has.
	for _ in $(seq 60); do
		flips "$1" 1000 careless
		[ "$(field late)" -eq 0 ] || return 0
	done
	fail "$1: nobody is late without a wait: the test sees nothing"
}

no_one_is_late hits
no_one_is_late switches
pass
