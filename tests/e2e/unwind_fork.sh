#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Children that live for 20 ms have whole stacks by the tables of their parent.
. "$(dirname "$0")/lib.sh"

start frameless_children 20
json -p "$pid" -F 1999 -i 2 --once
check <<'PYTHON'
inside = [sample for sample in run.samples if sample.has("in_child")]
nr = sum(sample.count for sample in inside)
expect_at_least("samples of children", nr, run.enough(30))
expect_at_least("children", len({sample.pid for sample in inside}), 5)
expect_eq("of them not below main", sum(s.count for s in inside if not s.has("main")), 0)
expect_at_least("share of whole stacks", run.whole / run.counted, 0.98)
PYTHON
pass
