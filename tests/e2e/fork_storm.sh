#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A storm of processes, as many a second as the machine makes, that live for a fraction of a millisecond: as the whole
# system, as children of one target in short intervals, and as targets that all die while they are drained.
. "$(dirname "$0")/lib.sh"

# forks NUMBER SECONDS: so many parents; sets pids.
forks() {
	local each
	pids=
	for ((each = 0; each < $1; each++)); do
		start short_children 0 "$2"
		pids+=${pids:+,}$pid
	done
}

forks 3 20
json -a -F 999 -i 0.5 -d 3
truths=()
for ((each = 0; each < 3; each++)); do
	stop "${started[each]}"
	truths+=("$tmp/workload$each")
done
check "${truths[@]}" <<'PYTHON'
parents = [truths(path) for path in args]
expect_at_least("processes", sum(one["children"] for one in parents), 100)
expect_at_least("samples", run.counted, run.enough(100))
expect_eq("lost", run.lost, 0)
expect_eq("samples without their process", sum(i["ledger"]["processes_unnamed"] for i in run.intervals), 0)
expect_at_least("samples of the storm", run.count(lambda s: s.comm == "short_children"), run.enough(100))
# Gone as they are, what they ran has a name: their mappings are those of the parent.
user = [s for s in run.samples if s.comm == "short_children" and s.user]
named = sum(s.count for s in user if s.user[0]["module"])
expect_at_least("user stacks with a named leaf", named, 0.95 * sum(s.count for s in user))
PYTHON

forks 3 20
json -p "$pids" -F 999 -i 0.05 -d 3
check <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(100))
expect_eq("lost", run.lost, 0)
expect_eq("children not followed", sum(i["ledger"]["children_not_followed"] for i in run.intervals), 0)
expect_eq("tasks that are not in the account", sum(i["ledger"]["runtime_untracked"] for i in run.intervals), 0)
expect_coverage(run, switching=True)
PYTHON

# All at once, in the middle of a run: it ends by itself.
top_start --json -p "$pids" -F 4999 -i 0.05 -d 30
wait_for test -s "$out"
for one in ${pids//,/ }; do
	kill -KILL "$one"
done
wait_for grep -q 'has ended' "$err"
top_wait
expect_status 0
check <<'PYTHON'
expect_eq("lost", run.lost, 0)
expect_at_most("duration, s", run.duration, 15)
PYTHON
pass
