#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Piped text: a block an interval with ledger, stacks one frame a line, top functions. No escape
# sequences, no screen control.
. "$(dirname "$0")/lib.sh"

start shares 20
top -p "$pid" -F 999 -i 1 -d 3
expect_status 0
[ "$(grep -c 'counted' "$out")" -ge 2 ] || fail 'no ledger in each block'
grep -qw share_40 "$out" || fail 'no function'
grep -qw main "$out" || fail 'no caller'
! LC_ALL=C grep -q '[[:cntrl:]]' <(tr -d '\n\t' <"$out") || fail 'control characters'
pass
