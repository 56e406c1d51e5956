#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What is sampled of CPU-bound targets is the CPU time that the scheduler gave them.
. "$(dirname "$0")/lib.sh"

# covered TASKS-EXPRESSION WORKLOAD ARGUMENTS...: twice as long until there are 10,000 samples.
covered() {
	local seconds=3 tasks=$1 counted
	shift
	while :; do
		json -F 4999 -i 0.5 -- sh -c 'out=$1; shift; exec "$@" >"$out"' sh "$tmp/truth" \
			"$workloads/$1" "${@:2}" "$seconds"
		counted=$(python3 -c 'import json, sys
print(sum(json.loads(line)["ledger"]["counted"] for line in open(sys.argv[1])))' "$out")
		[ "$counted" -lt 10000 ] && [ "$seconds" -lt 20 ] || break
		seconds=$((seconds * 2))
	done
	check "$tmp/truth" "$tasks" <<'PYTHON'
truth = truths(args[0])
expect_at_least("samples", run.counted, 10000)
expect_coverage(run, tasks=eval(args[1], {"truth": truth, "len": len}))
for interval in run.intervals:
    coverage = interval["ledger"]["coverage"]
    expect_at_least("ran_s in an interval", coverage["ran_s"], 0)
PYTHON
}

covered '1' shares
covered '1 + len(truth["threads"])' threads 4 0
covered '1 + truth["children"]' short_children 3
covered '1 + truth["children"]' short_children 30
pass
