#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# While another process makes bpf() map calls, its CPU runs no program of a perf event: the kernel
# counts that nowhere, the ledger does, as late or skipped. An oracle has the timer's own fires.
. "$(dirname "$0")/lib.sh"

judge() {
	check "$tmp/fires" "$@" <<'PYTHON'
truth = truths(args[0])
fires = truth["fires"] + truth["idle_fires"]
ledgers = [interval["ledger"] for interval in run.intervals]
due, late = (sum(one[name] for one in ledgers) for name in ("due", "late_or_skipped"))
hammer_s = truths(args[1])["hammer_s"] if len(args) > 1 else 0
expect(not ledgers[0]["idle_excluded"], "idle is excluded at this rate")
expect_at_least("periods due", due, 700)
expect_eq("throttled", sum(one["lost_by"]["throttled"] for one in ledgers), 0)
# The oracle begins before the first and ends after the last.
expect_at_least("timer fires", fires + 1, run.events)
expect_near("periods due less timers late and skipped", due - late, run.events, 1)
if hammer_s:
    skipped = fires - run.events
    expect_at_least("skipped, by the oracle", skipped, 0.3 * 187 * hammer_s)
    expect_at_least("late or skipped, by the ledger", late, skipped - 2)
else:
    # A timer that did not fire in time; and what was skipped, which the oracle explains.
    explained = due - fires + sum(truth["switched_off"].values()) + truth["hidden"]
    expect_at_most("late or skipped", late, explained + 2)
PYTHON
}

oracle 187 -a -i 0.5 -d 4
judge

taskset -c 0 python3 "$root/tests/oracle/hammer.py" 5 >"$tmp/hammer" 2>&1 &
started+=("$!")
hammer=$!
wait_for grep -q ready "$tmp/hammer"
oracle 187 -a -i 0.5 -d 4
wait "$hammer"
judge "$tmp/hammer"
pass
