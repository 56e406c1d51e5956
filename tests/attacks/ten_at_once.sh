#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Ten instances that sample the whole system at once: each has a ledger that balances to the sample.
. "$(dirname "$0")/lib.sh"

start shares 100
pids=()
for each in {1..10}; do
	"$topstacks" -a --json -d 2 -i 0.5 -F $((90 + each)) >"$tmp/out$each" 2>"$tmp/err$each" </dev/null &
	pids+=("$!")
	started+=("$!")
done
for each in {1..10}; do
	status=0
	wait "${pids[each - 1]}" || status=$?
	out=$tmp/out$each err=$tmp/err$each
	expect_status 0
	check <<-'PYTHON'
		expect_at_least("samples", run.counted, run.enough(50))
		expect_eq("lost", run.lost, 0)
	PYTHON
done
pass
