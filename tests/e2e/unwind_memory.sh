#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A table that finds no room is a reason of its own for stacks without callers, and the user is told
# what to change. A compiler whose libraries have a million rows is larger than what is allowed here.
. "$(dirname "$0")/lib.sh"

# Long enough for tables to be tried.
for ((i = 0; i < 800; i++)); do
	echo "int f$i(int n) { int x = $i; for (int i = 0; i < n; i++) x = x * 7 + i % (x | 3); return x; }"
done >"$tmp/functions.c"
compile=(clang -O2 -c -o /dev/null "$tmp/functions.c")

json --unwind-memory 1M -F 999 -i 60 -- "${compile[@]}"
check <<'PYTHON'
stacks = run.intervals[0]["ledger"]["stacks"]
expect_at_least("samples", run.counted, 50)
expect_at_least("of them without room for their table", stacks["truncated_by"]["no_room"], 0.2 * run.counted)
PYTHON

top --unwind-memory 1M -F 999 -i 60 -- "${compile[@]}"
expect_status 0
cat "$out" "$err" | grep -q 'no_room: raise --unwind-memory' || fail 'nobody is told what to change'

json -F 999 -i 60 -- "${compile[@]}"
check <<'PYTHON'
stacks = run.intervals[0]["ledger"]["stacks"]
expect_eq("without room", stacks["truncated_by"]["no_room"], 0)
PYTHON
pass
