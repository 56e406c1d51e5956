#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Two programs with equal addresses that exec each other under one pid never get each other's
# functions.
. "$(dirname "$0")/lib.sh"

address() {
	nm "$workloads/exec_$1" | sed -n "s/ t $1_inner//p"
}
[ -n "$(address a)" ] && [ "$(address a)" = "$(address b)" ] || fail 'the addresses differ'

alone() {
	check <<'PYTHON'
seen = {"a_": 0, "b_": 0}
for sample in run.samples:
    prefixes = {name[:2] for name in sample.functions if name and name[:2] in seen}
    modules = {frame["module"] for frame in sample.user} & {"exec_a", "exec_b"}
    where = f"{sample.comm}: {sample.functions}"
    expect_at_most("programs in " + where, len(prefixes), 1)
    expect(modules <= {sample.comm}, f"modules {modules} in {where}")
    for prefix in prefixes:
        expect_eq("program of " + where, "exec_" + prefix[0], sample.comm)
        seen[prefix] += sample.count
for prefix, count in seen.items():
    expect_at_least(f"samples of {prefix}*", count, run.enough(50))
PYTHON
}
json -F 1999 -i 0.4 -- sh -c 'exec "$0" 2 >/dev/null' "$workloads/exec_a"
alone

start exec_a 20
top_start --json -p "$pid" -F 1999 -i 0.4
wait_samples 400
top_end
alone
pass
