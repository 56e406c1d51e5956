#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A library that is loaded while we watch is named, though its addresses differ from file offsets;
# functions that only .symtab knows too.
. "$(dirname "$0")/lib.sh"

start plugins 20
top_start --json -p "$pid" -F 999 -i 0.2
wait_samples 50
kill -USR1 "$pid"
wait_for grep -q loaded "$output"
wait_samples 400
top_end

named() {
	check "$@" <<'PYTHON'
inside = [sample for sample in run.samples if sample.has("library_outer")]
expect_at_least("samples in the library", sum(sample.count for sample in inside), run.enough(100))
expect_eq("samples of the function beside", run.with_function("library_padding"), 0)
for sample in inside:
    expect(sample.has("main"), f"no main in {sample.functions}")
    modules = {f["module"] for f in sample.frames if (f.get("function") or "").startswith("library_")}
    expect_eq("module", modules, {"libwork.so"})
inner = run.count(lambda sample: sample.has("library_inner") and sample.has("library_outer"))
expect_at_least("share with library_inner", inner / sum(s.count for s in inside), 0.98)
PYTHON
}
named
check <<'PYTHON'
expect_at_least("samples before the library", run.with_function("before_library"), run.enough(20))
PYTHON

# And one that was there before us.
json -p "$pid" -F 999 -i 1 -d 1
named
pass
