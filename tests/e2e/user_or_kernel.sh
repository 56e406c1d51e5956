#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -U keeps user stacks alone, -K kernel stacks alone; without them a stack goes through both.
. "$(dirname "$0")/lib.sh"

start syscalls 30
json -p "$pid" -F 999 -i 1 -d 1
check <<'PYTHON'
both = run.count(lambda s: s.kernel and s.has("read_zeros"))
expect_at_least("stacks from main into the kernel", both / run.counted, 0.25)
for sample in run.samples:
    kinds = [frame["kind"] for frame in sample.frames]
    expect_eq("leaf first", kinds, sorted(kinds))
named = run.count(lambda s: s.kernel and all(frame.get("function") for frame in s.kernel))
expect_at_least("share of named kernel stacks", named / run.count(lambda s: s.kernel), 0.98)
PYTHON

json -U -p "$pid" -F 999 -i 1 -d 1
check <<'PYTHON'
expect_eq("samples with kernel frames", run.count(lambda s: s.kernel), 0)
expect_at_least("samples of read_zeros", run.with_function("read_zeros") / run.counted, 0.25)
PYTHON

json -K -p "$pid" -F 999 -i 1 -d 1
check <<'PYTHON'
expect_eq("samples with user frames", run.count(lambda s: s.user), 0)
expect_at_least("samples with kernel frames", run.count(lambda s: s.kernel) / run.counted, 0.25)
PYTHON
pass
