#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Programs of counted events walk user stacks along frame records themselves: through all of a deep stack, over
# pages and what is copied of them at a time, in user mode and from within the kernel, up to the depth that is kept.
. "$(dirname "$0")/lib.sh"

json -e page-faults --unwind fp -- "$workloads/counters" 3000 0 now
grep '^{"schema"' "$out" >"$tmp/run" && mv "$tmp/run" "$out"
check <<'PYTHON'
for function in "touch_pages", "read_pages":
    expect_at_least(f"in {function}", run.with_function(function), 3000 - run.lost)
PYTHON

for frames in 5 100; do
	json -e syscalls:sys_enter_clock_gettime --unwind fp -- "$workloads/depth" "$frames" 0.2
	grep '^{"schema"' "$out" >"$tmp/run" && mv "$tmp/run" "$out"
	check "$frames" <<'PYTHON'
frames = int(args[0])
deep = [sample for sample in run.samples if sample.has("bottom")]
expect_at_least("samples", sum(sample.count for sample in deep), 100)
for sample in deep:
    expect_eq("frames of descend", sample.functions.count("descend"), frames)
    expect(sample.has("main"), "the stack goes on to main")
PYTHON
done

json -e syscalls:sys_enter_clock_gettime --unwind fp --max-depth 20 -- "$workloads/depth" 100 0.2
grep '^{"schema"' "$out" >"$tmp/run" && mv "$tmp/run" "$out"
check <<'PYTHON'
deep = [sample for sample in run.samples if sample.has("bottom")]
expect_at_least("samples", sum(sample.count for sample in deep), 100)
for sample in deep:
    expect(not sample.has("main"), "no more than so many frames are kept")
PYTHON
pass
