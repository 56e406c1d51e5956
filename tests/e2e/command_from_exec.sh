#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -- COMMAND is sampled from its exec on: nothing of ours is in it, and its first function is.
. "$(dirname "$0")/lib.sh"

json -F 4999 -- "$workloads/depth" 5 0.5
grep -v '^ready' "$out" >"$tmp/json" && mv "$tmp/json" "$out"
check <<'PYTHON'
expect_at_least("samples", run.counted, 100)
expect_eq("comms", {sample.comm for sample in run.samples}, {"depth"})
expect_eq("samples of ours", run.count(lambda s: any(f["module"] == "topstacks" for f in s.frames)), 0)
PYTHON
pass
