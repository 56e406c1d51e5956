#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# 300 different programs come and go: what symbols hold stays within --symbol-memory, although all of
# their tables are five times as large, and every program has its own names. So does what is resident.
. "$(dirname "$0")/lib.sh"

bound=$((12 << 20))
mkdir "$tmp/programs"
top_start --json -a -F 499 -i 0.5 --symbol-memory $bound
wait_for test -s "$out"
"$root/tests/workloads/many_programs" "$tmp/programs" 300 >"$tmp/programs.out"
wait_for grep -q "all ran" "$tmp/programs.out"
top_wait_peak -INT

# As long without them: on a busy machine it takes a while until everyone's files are read.
with_them=$peak
mv "$out" "$tmp/run"
top_start --json -a -F 499 -i 0.5 --symbol-memory $bound
wait_intervals "$(wc -l <"$tmp/run")"
top_wait_peak -INT
mv "$tmp/run" "$out"
check "$bound" "$peak" "$with_them" <<'PYTHON'
bytes = [interval["cost"]["symbols_bytes"] for interval in run.intervals]
expect_at_most("bytes of symbols", max(bytes), int(args[0]))
expect_at_least("bytes of symbols, which should fill their bound", max(bytes), int(args[0]) // 4)
beside = 4 << 20  # stacks and records of 300 programs are no symbols
expect_at_most("resident bytes more than without them", int(args[2]) - int(args[1]), int(args[0]) * 1.1 + beside)
ours = [(s, f) for s in run.samples for f in s.user if f["module"] and re.fullmatch(r"p\d+", f["module"])]
expect_at_least("programs seen", len({f["module"] for _, f in ours}), 100)
wrong = [f for _, f in ours if f["function"] not in (None, "_start", f"burn_{int(f['module'][1:]):06d}")]
expect_eq("names of other programs", wrong, [])
# A busy machine may not read a file while its process lives: then that is in the ledger.
without = ("records_lost", "unread", "unread_processes", "unread_descriptors")
if sum(interval["ledger"][reason] for interval in run.intervals for reason in without) == 0:
    expect_eq("frames without a name", [f for _, f in ours if not f["function"]], [])
PYTHON
pass
