#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Kernel frames are named as /proc/kallsyms names them.
. "$(dirname "$0")/lib.sh"

start syscalls 20
json -p "$pid" -F 999 -d 2 -K
check <<'PYTHON'
names = {line.split()[2] for line in open("/proc/kallsyms")}
kernel = [frame for sample in run.samples for frame in sample.kernel]
expect_at_least("kernel frames", len(kernel), 20)
unknown = {frame["function"] for frame in kernel if frame["function"] and frame["function"] not in names}
expect_eq("functions that kallsyms does not have", unknown, set())
named = sum(sample.count for sample in run.samples if all(f["function"] for f in sample.kernel))
expect_eq("samples with a nameless kernel frame", run.counted - named, 0)
PYTHON
pass
