#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program that ends before anyone could look at it has whole stacks, once it has run before: the
# kernel's own tree of mappings (6.1) says where its files are.
. "$(dirname "$0")/lib.sh"

# The first run is long enough for its tables to come, whatever else runs.
json -F 1999 -i 60 -- sh -c 'exec >/dev/null; "$0" 0.5; for run in $(seq 100); do "$0" 0.004; done' \
	"$workloads/frameless"
uname -r >"$tmp/release"
check "$tmp/release" <<'PYTHON'
inside = [sample for sample in run.samples if sample.has("spin")]
first = max({sample.pid for sample in inside},
            key=lambda pid: sum(sample.count for sample in inside if sample.pid == pid))
inside = [sample for sample in inside if sample.pid != first]
nr = sum(sample.count for sample in inside)
rooted = sum(sample.count for sample in inside if sample.has("main") or sample.has("in_thread"))
release = [int(number) for number in open(args[0]).read().split("-")[0].split(".")[:2]]
expect_at_least("samples of the program", nr, 50)
expect_at_least("processes", len({sample.pid for sample in inside}), 20)
if release >= [6, 1]:
    expect_at_least("share that reach main or the thread", rooted / nr, 0.9)
PYTHON
pass
