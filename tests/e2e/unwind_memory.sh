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

# make_rows NAME NUMBER: a program for which a table of so many rows is made, of 8 bytes each.
make_rows() {
	gcc -o "$tmp/$1" -x assembler - <<-ASSEMBLER
			.globl main
		main:	jmp main
			.fill $2, 1, 0x90
		.Lend:	.section .eh_frame, "a", @progbits
		.Lcie:	.long .Lrules - . - 4, 0
			.byte 1
			.asciz "zR"
			.byte 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1
			.balign 8
		.Lrules: .long .Lrows - . - 4, . - .Lcie, main - ., .Lend - main
			.byte 0
			.rept $2 / 2
			.byte 0x41, 0x0e, 16, 0x41, 0x0e, 8
			.endr
			.balign 8
		.Lrows:	.section .note.GNU-stack, "", @progbits
	ASSEMBLER
}

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
