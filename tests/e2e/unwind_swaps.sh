#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Libraries that take each other's place every few milliseconds are not unwound by each other's
# rules: the kernel's own tree of mappings (6.1) says which of them is there.
. "$(dirname "$0")/lib.sh"

start swaps 20
json -p "$pid" -F 999 -i 1 -d 4
uname -r >"$tmp/release"
check "$tmp/release" <<'PYTHON'
release = [int(number) for number in open(args[0]).read().split("-")[0].split(".")[:2]]
samples = [sample for one in run.intervals[1:] for sample in one["samples"]]
called = [Sample(values) for values in samples]
called = [sample for sample in called if sample.has("called_back")]
nr = sum(sample.count for sample in called)
rooted = sum(sample.count for sample in called if sample.has("main"))
expect_at_least("samples in the callback", nr, run.enough(100))
if release >= [6, 1]:
    expect_at_least("share of them that reach main", rooted / nr, 0.98)
PYTHON
pass
