#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A table of many maps is put in its place by few system calls, since for each the kernel waits until no
# program looks at what was there before: as many as it has maps took longer than short programs run.
. "$(dirname "$0")/lib.sh"

rows=2000000
row_bytes=8
chunk_rows=65536

make_rows large1 $rows
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
