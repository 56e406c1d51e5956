#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What is sampled of CPU-bound targets is the CPU time that the scheduler gave them.
. "$(dirname "$0")/lib.sh"

# covered TASKS-EXPRESSION WORKLOAD ARGUMENTS...: 2.3 s of CPU time, which are 11,500 samples.
covered() {
	local tasks=$1
	shift
	json -F 4999 -i 0.5 -- sh -c 'out=$1; shift; exec "$@" >"$out"' sh "$tmp/truth" \
		"$workloads/$1" "${@:2}" 2.3
	check "$tmp/truth" "$tasks" <<'PYTHON'
truth = truths(args[0])
expect_at_least("samples", run.counted, 10000)
# Beside others that sleep and wake all the time, it is switched as if it did.
switching = truth["switches"] > 1000 * run.ran_s
expect_coverage(run, tasks=eval(args[1], {"truth": truth, "len": len}), switching=switching)
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
