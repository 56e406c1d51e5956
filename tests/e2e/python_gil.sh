#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Threads that have let go of the interpreter's lock, since they compute in C or wait, have their chains.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

without_lock() {
	start_python gil.py 100
	json --threads -p "$pid" -F 999 -i 1 -d 2
	check "$output" <<'PYTHON'
threads = {int(tid): one for tid, one in truths(args[0])["threads"].items()}
tid = next(tid for tid, one in threads.items() if one["name"] == "hash")
samples = [sample for sample in run.samples if sample.tid == tid]
inside = [sample for sample in samples if any((frame["module"] or "").startswith("libcrypto.so") for frame in sample.user)]
number = sum(sample.count for sample in inside)
expect_at_least("samples", number, run.enough(200))
expect_at_least("share in C", number / sum(sample.count for sample in samples), 0.9)
right = sum(sample.count for sample in inside if sample.chain == threads[tid]["chain"])
expect_at_least("share with the chain", right / number, 0.995)
for sample in inside:
    kinds = [frame["kind"] == "interpreted" for frame in sample.user]
    expect(not kinds[0], f"Python innermost: {sample.functions}")
PYTHON

	json --threads -e off-cpu -p "$pid" -i 1 -d 2
	check "$output" <<'PYTHON'
threads = {int(tid): one for tid, one in truths(args[0])["threads"].items()}
waits = {"lock": ("lock",), "read": ("pipe",), "sleep": ("sleep", "poll")} # up to 3.10 it sleeps in select()
for tid, one in threads.items():
    if one["name"] not in waits:
        continue
    samples = [sample for sample in run.samples if sample.tid == tid and sample.wait in waits[one["name"]]]
    ns = sum(sample.ns for sample in samples)
    expect_at_least(f"waits of {one['name']}", sum(sample.count for sample in samples), 10)
    right = sum(sample.ns for sample in samples if sample.chain == one["chain"])
    expect_at_least(f"share of the time of {one['name']} with its chain", right / ns, 0.99)
    right = sum(sample.count for sample in samples if sample.chain == one["chain"])
    expect_at_least(f"share of the waits of {one['name']} with their chain", right / sum(s.count for s in samples), 0.98)
PYTHON
	stop "$pid"
}
some_pythons without_lock
pass
