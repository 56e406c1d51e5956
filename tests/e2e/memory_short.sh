#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Memory runs out in the middle of a run: what was sampled until then is written, and balances; the exit code is 4.
# The service forgets its past first and goes on.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/serving.sh"

# limit PID: what it has mapped is all that it may map.
limit() {
	prlimit --pid "$1" --as="$(($(awk '/^VmSize/ { print $2 }' "/proc/$1/status") * 1024))"
}

# Ever new stacks, which need ever more memory.
start stacks 18 300

top_start record -p "$pid" -F 4999 -d 120 -o "$tmp/profile"
wait_sampling
limit "$top_pid"
top_wait
expect_status 4
expect_err 'memory ran out, so the run ended early'
[ "$("$topstacks" report --format json "$tmp/profile" | jq '.ledger.balanced and .ledger.counted > 0')" = true ] ||
	fail 'the profile does not balance'

top_start --json -p "$pid" -F 4999 -d 120 -i 1
wait_intervals 2
limit "$top_pid"
top_wait
expect_status 4
expect_err 'memory ran out, so the run ended early'
check <<'PYTHON'
expect_at_least("intervals", len(run.intervals), 2)
expect_due(run)
PYTHON

serve -p "$pid" --slice 1 -F 4999 --max-overhead 100
sleep 5
limit "$serve_pid"
sleep 10
asked "/debug/pprof/profile?seconds=2" "$tmp/after"
[ "$(count_in "$tmp/after")" -gt 0 ] || fail 'the service does not sample any more'
end_serve
pass
