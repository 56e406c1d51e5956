#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Memory runs out in the middle of a run: what was sampled until then is written, and balances; the exit code is 4.
# The service forgets its past first and goes on.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/serving.sh"

# Ever new stacks, which need ever more memory.
start stacks 18 300

# What a run maps when it samples, without its reserve of 256 MiB.
MALLOC_ARENA_MAX=1 top_start record -p "$pid" -F 49 -d 120 -o "$tmp/small"
wait_sampling
mapped=$(($(awk '/^VmSize/ { print $2 }' "/proc/$top_pid/status") - 256 * 1024))
top_end

# limited MIB COMMAND...: with so much more, and a reserve of an eighth of all; at least what a run demands.
limited() {
	local limit=$(((mapped + $1 * 1024) * 8 / 7))
	ulimit -S -v "$((limit < 98304 ? 98304 : limit))"
	"${@:2}"
	ulimit -S -v unlimited
}

limited 8 top_start record -p "$pid" -F 4999 -d 120 -o "$tmp/profile"
top_wait
expect_status 4
expect_err 'memory ran out, so the run ended early'
[ "$("$topstacks" report --format json "$tmp/profile" | jq '.ledger.balanced and .ledger.counted > 0')" = true ] ||
	fail 'the profile does not balance'

# Stacks come faster than they can be named.
limited 8 top_start record -p "$pid" -F 20000 --max-overhead 100 -d 120 -o "$tmp/profile"
top_wait
expect_status 4
expect_err 'memory ran out, so the run ended early'
[ "$("$topstacks" report --format json "$tmp/profile" | jq '.ledger.balanced and .ledger.counted > 0')" = true ] ||
	fail 'the profile of fast samples does not balance'

limited 8 top_start --json -p "$pid" -F 4999 -d 120 -i 1
top_wait
expect_status 4
expect_err 'memory ran out, so the run ended early'
check <<'PYTHON'
expect_due(run)
PYTHON

limited 64 serve -p "$pid" --slice 1 -F 4999 --max-overhead 100
sleep 15
asked "/debug/pprof/profile?seconds=2" "$tmp/after"
[ "$(count_in "$tmp/after")" -gt 0 ] || fail 'the service does not sample any more'
end_serve
pass
