#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Stacks deeper than the limit lose their root side, and are counted as truncated; others are not.
. "$(dirname "$0")/lib.sh"

start depth 200 30
deep=$pid
json -p "$deep" -F 499 -i 1 -d 1
check <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(50))
expect_eq("truncated", run.truncated, run.counted)
expect_eq("deepest user stack", max(len(sample.user) for sample in run.samples), 127)
expect_eq("samples with the leaf side", run.with_function("bottom"), run.counted)
expect_eq("samples with main", run.with_function("main"), 0)
PYTHON

json -p "$deep" --max-depth 16 -F 499 -i 1 -d 1
check <<'PYTHON'
expect_eq("truncated", run.truncated, run.counted)
expect_eq("deepest user stack", max(len(sample.user) for sample in run.samples), 16)
PYTHON

start depth 50 30
json -p "$pid" -F 499 -i 1 -d 1
check <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(50))
expect_eq("truncated", run.truncated, 0)
expect_eq("samples with main", run.with_function("main"), run.counted)
PYTHON
pass
