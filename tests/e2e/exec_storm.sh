#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# One process that execs itself 1,500 times as fast as it can: each program image is one of its own,
# all are the target, and everything balances.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/again" <<'SH'
[ "$1" -eq 0 ] || exec /bin/sh "$0" $(($1 - 1))
SH
json -F 1999 -i 0.2 -- /bin/sh "$tmp/again" 1500
check <<'PYTHON'
expect_at_least("samples", run.counted, 100)
expect_eq("lost", run.lost, 0)
expect_eq("missing stacks", run.missing, 0)
expect_eq("samples without their process", sum(i["ledger"]["processes_unnamed"] for i in run.intervals), 0)
expect_eq("programs", {s.comm for s in run.samples}, {"sh"})
expect_eq("processes", len(run.pids), 1)
expect_coverage(run)
PYTHON
pass
