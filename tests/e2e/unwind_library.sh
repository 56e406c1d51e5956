#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Stacks through a library that is loaded while we watch are whole, but for its first moments.
. "$(dirname "$0")/lib.sh"

start frameless 20
top_start --json -p "$pid" -F 999 -i 0.2
wait_samples 100
kill -USR1 "$pid"
wait_for grep -q loaded "$output"
wait_samples 2000
top_end
check <<'PYTHON'
inside = [sample for sample in run.samples if sample.has("frameless_outer")]
nr = sum(sample.count for sample in inside)
expect_at_least("samples in the library", nr, run.enough(30))
with_main = sum(sample.count for sample in inside if sample.has("main"))
expect_at_least("share of them that reach main", with_main / nr, 0.95)
expect_at_least("share of whole stacks", run.whole / run.counted, 0.97)
last = run.intervals[-1]["ledger"]
expect_at_least("share in the end", last["stacks"]["whole"], 0.99 * last["counted"])
PYTHON
pass
