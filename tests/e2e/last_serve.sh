#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# last asks a serve that runs: the past of a process, compared with what was before it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/serving.sh"

start shares 1000
other=$pid
start shares 1000
serve -p "$pid,$other" --slice 1 -F 499 --max-overhead 100

last() {
	top last --socket "$socket" "$@"
}

is_compared() {
	last --diff 1
	[ "$status" -eq 0 ]
}

# As soon as nine slices are there; before, a sentence says what is missing.
wait_for is_compared
grep -qE '^before: [0-9]+ parts of 1 s, [0-9]+ samples; last: [0-9]+ samples$' "$out" || fail "no parts"
grep -q '^tau 5 %' "$out" || fail "tau is not said"

# The token beside the socket is root's to read, so all is there; and the server chooses by process.
last 1h --format json
expect_status 0
mv "$out" "$tmp/all.json"
last 1h -p "$pid" --format json
expect_status 0
python3 - "$tmp/all.json" "$out" "$pid" "$other" <<'PYTHON' || fail "see above"
import json, sys
both, one = (json.load(open(path)) for path in sys.argv[1:3])
pids = lambda profile: {sample["pid"] for sample in profile["samples"]}
assert pids(both) == {int(sys.argv[3]), int(sys.argv[4])}, pids(both)
assert pids(one) == {int(sys.argv[3])}, pids(one)
PYTHON
last 5s --by function -p "$pid"
expect_status 0
grep -q 'share_40' "$out" || fail "not the program's functions"
last --at 2001-01-01T00:00:00
[ "$status" -ne 0 ] || fail "a past that nobody has seen"
expect_err 'topstacks serve answers 404'

# Slices of an event that is not sampled.
last -e off-cpu
expect_err 'topstacks serve answers 404 .*: .*off-cpu'
end_serve
pass
