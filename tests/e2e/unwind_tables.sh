#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program without frame pointers has whole stacks, through a callback of the C library and in a
# thread, from the first sample on; and it has none by frame pointers, which is said.
. "$(dirname "$0")/lib.sh"

start frameless 20
json -p "$pid" -F 1999 -i 1.5 --once
check <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(50))
expect_eq("unwinding", run.intervals[0]["unwinding"], "unwind tables")
expect_eq("missing", run.missing, 0)
expect_at_least("share of whole stacks", run.whole / run.counted, 0.99)

# 17 times descend, all of the same length, and then who called it.
shapes = {"main": 0, "thread": 0}
for sample in run.samples:
    path = [name for name in reversed(sample.functions) if name]
    if "in_thread" in path:
        shapes["thread"] += sample.count
    elif path.count("descend") == 17 and "spin" in path:
        expect_eq("callers", [name for name in path if name in ("main", "before_library", "compare")],
                  ["main", "before_library", "compare"])
        shapes["main"] += sample.count
    expect_at_most("depth of descend", path.count("descend"), 17)
expect_at_least("samples of main", shapes["main"], run.enough(20))
expect_at_least("samples of the thread", shapes["thread"], run.enough(20))
PYTHON

json --unwind fp -p "$pid" -F 1999 -i 1 --once
check <<'PYTHON'
expect_eq("unwinding", run.intervals[0]["unwinding"], "frame pointers")
expect_at_most("share of whole stacks", run.whole / run.counted, 0.5)
PYTHON

top --unwind dwarf -p "$pid" -F 199 -i 0.5 --once
expect_status 0
grep -q '^stacks .*; by unwind tables$' "$out" || fail 'the header does not say how stacks are walked'
pass
