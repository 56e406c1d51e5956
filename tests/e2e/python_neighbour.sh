#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A function is one and the same, whatever lies in memory behind the name of its file: its samples share stacks, of which
# there are few, so that little memory has room for them.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

neighbour() {
	start_python neighbour.py 100
	json -p "$pid" -F 9999 -i 60 -d 2 --max-memory 8M
	stop "$pid"
	check "$output" <<'PYTHON'
truth = truths(args[0])
expect_at_least("samples", run.counted, run.enough(5000))
expect_at_least("share in the function", run.count(lambda s: ["hold_on", truth["file"]] in s.chain) / run.counted, 0.9)
expect_eq("stacks without a place", run.missing, 0)
PYTHON
}
each_python neighbour
pass
