#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -p follows living children, children to come and their children; --no-children does not.
. "$(dirname "$0")/lib.sh"

start children 60
parent=$pid
top_start --json -p "$parent" -F 999 -i 0.2
wait_for grep -q '"born_before"' "$out"
kill -USR1 "$parent"
for one in grandchild born_after parent; do
	wait_for grep -q "\"$one\"" "$out"
done
top_end
check "$output" <<'PYTHON'
truth = truths(args[0])
for function in ("parent", "born_before", "born_after"):
    pids = {sample.pid for sample in run.samples if sample.has(function)}
    expect_eq(f"pids of {function}", pids, {truth[function]})
grandchild = {sample.pid for sample in run.samples if sample.has("grandchild")}
expect_eq("grandchildren", len(grandchild - set(truth.values())), 1)
expect_eq("children not followed", run.intervals[-1]["ledger"]["children_not_followed"], 0)
PYTHON

json -p "$parent" --no-children -F 999 -i 0.5 -d 1
check "$parent" <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(30))
expect_eq("pids", run.pids, {int(args[0])})
PYTHON
pass
