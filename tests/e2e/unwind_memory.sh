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

# ---- what is resident ----

# peak_of UNTIL PROGRAM...: sets peak, of a run that shows these until it has printed UNTIL.
peak_of() {
	local one pids=()
	for one in "${@:2}"; do
		"$tmp/$one" &
		pids+=("$!")
	done
	started+=("${pids[@]}")
	top_start --json -F 199 -i 0.3 --unwind-memory 4M -p "$(IFS=, && echo "${pids[*]}")"
	wait_for grep -E "$1" "$out"
	top_wait_peak -INT
	kill -KILL "${pids[@]}"
	wait "${pids[@]}" 2>/dev/null || true
}

# Two megabytes each, in the kernel and, mapped from there, in the program.
make_rows few 2
for each in 1 2 3 4 5 6; do
	make_rows "many$each" 260000
done
peak_of '"whole":[1-9]' few
base=$peak
cp "$out" "$tmp/few"
peak_of '"no_room":[1-9]' many{1..6}
check "$base" "$peak" "$tmp/few" <<'PYTHON'
bound = int(1.1 * (4 << 20))
few = [json.loads(line) for line in open(args[2])]
expect_at_most("resident bytes more than with hardly any rows", int(args[1]) - int(args[0]), bound)
kernel_bytes = [max(one["cost"]["kernel_bytes"] for one in these) for these in (few, run.intervals)]
expect_at_most("bytes of maps more than with hardly any rows", kernel_bytes[1] - kernel_bytes[0], bound)
PYTHON
pass
