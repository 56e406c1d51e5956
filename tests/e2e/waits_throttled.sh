#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A thread that computes, in a group that may do so for 4 ms of each 100: as long as the group says that it was throttled,
# the thread was, and what else it waited for a CPU is no quota's. Files say it as intervals do.
. "$(dirname "$0")/lib.sh"

group=/sys/fs/cgroup/cpu/topstacks-quota-$$ # where controllers are of version 1
limit='echo 4000 >"$group/cpu.cfs_quota_us"'
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
	group=/sys/fs/cgroup/topstacks-quota-$$
	limit='echo "4000 100000" >"$group/cpu.max"'
	echo +cpu >/sys/fs/cgroup/cgroup.subtree_control || skip "no controller of CPU time"
fi
mkdir "$group" 2>/dev/null && [ -e "$group/cpu.stat" ] || skip "no controller of CPU time"
cgroups+=("$group")
eval "$limit"

start stacks 2 60
echo "$pid" >"$group/cgroup.procs"

throttled_ns() {
	awk '$1 == "throttled_time" { print $2 } $1 == "throttled_usec" { print $2 * 1000 }' "$group/cpu.stat"
}

first=$(throttled_ns)
top_start --json -p "$pid" -e off-cpu -i 0.35 --threads --save "$tmp/saved"
wait_sampling
before=$(throttled_ns)
sleep 2
after=$(throttled_ns)
top_end
check "$before" "$after" "$first" "$(throttled_ns)" <<'PYTHON'
before, after, first, last = map(int, args)
states = {}
for sample in run.samples:
    for state, ns in sample.states.items():
        states[state] = states.get(state, 0) + ns
expect_at_least("throttled by the group's account, ns", after - before, 200e6)
# Sampling begins before the group is asked the second time, and ends before it is asked the last time.
expect_at_least("throttled, ns", states.get("throttled", 0), 0.97 * (after - before) - 10e6)
expect_at_most("throttled, ns", states.get("throttled", 0), 1.03 * (last - first) + 10e6)
expect_at_least("runnable, with what is throttled, ns", run.runnable_ns, states["throttled"])
for sample in run.samples:
    expect("throttled" not in sample.states or sample.has("leaf"), f"throttled in {sample.functions}")
PYTHON
kept=$(ls "$tmp/saved"* | head -n 1)
top report --by state "$kept"
expect_status 0
grep -q ' throttled$' "$out" || fail "the report names no quota"
top report --state throttled --by wait "$kept"
grep -q ' throttled$' "$out" || fail "the report does not choose what a quota took"
grep -q ' preempted$' "$out" && fail "the report chooses more than what a quota took"
pass
