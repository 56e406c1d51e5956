#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A table of many maps is put in its place by few system calls, since for each the kernel waits until no
# program looks at what was there before: as many as it has maps took longer than short programs run.
. "$(dirname "$0")/lib.sh"

rows=2000000
row_bytes=8
chunk_rows=65536

gcc -o "$tmp/large1" -x assembler - <<ASSEMBLER
		.globl main
	main:	jmp main
		.fill $rows, 1, 0x90
	.Lend:	.section .eh_frame, "a", @progbits
	.Lcie:	.long .Lrules - . - 4, 0
		.byte 1
		.asciz "zR"
		.byte 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1
		.balign 8
	.Lrules: .long .Lrows - . - 4, . - .Lcie, main - ., .Lend - main
		.byte 0
		.rept $rows / 2
		.byte 0x41, 0x0e, 16, 0x41, 0x0e, 8
		.endr
		.balign 8
	.Lrows:	.section .note.GNU-stack, "", @progbits
ASSEMBLER
cp "$tmp/large1" "$tmp/large2"
cp "$tmp/large1" "$tmp/large3"

# Until the tables are there, which the bytes of the maps say.
kernel_bytes() {
	python3 -c 'import json, sys; print(json.loads(open(sys.argv[1]).readlines()[-1])["cost"]["kernel_bytes"])' "$out"
}
has_tables() {
	[ "$(kernel_bytes)" -ge $((before + 3 * rows * row_bytes)) ]
}
json -F 99 -i 60 -- true
before=$(kernel_bytes)
top_start --json -F 99 -i 0.3 --unwind-memory 100M -- sh -c \
	'for each in 1 2 3; do setpriv --pdeathsig KILL "$0$each" & done; wait' "$tmp/large"
wait_for has_tables
kill -INT "$top_pid" # which is passed on
top_wait
expect_status 130
check $((3 * rows / chunk_rows)) <<'PYTHON'
calls = sum(interval["ledger"]["map_calls"] for interval in run.intervals)
expect_at_most("calls that put something into one of 91 maps, or another", calls, int(args[0]) // 2)
PYTHON
pass
