#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -a: kernel threads are shown, with kernel frames alone, and get the CPU time that the scheduler says.
. "$(dirname "$0")/lib.sh"

# kernel_threads FILE: {"PID": ns of CPU time} of all kernel threads (PF_KTHREAD, PF_EXITING aside).
kernel_threads() {
	python3 - >"$1" <<'PYTHON'
import glob, json
ran = {}
for process in glob.glob("/proc/[0-9]*"):
    try:
        flags = int(open(process + "/stat").read().rsplit(")", 1)[1].split()[6])
        if flags & 0x00200000:
            ran[process[6:]] = int(open(process + "/schedstat").read().split()[0])
    except OSError:
        pass # it has just ended
print(json.dumps(ran))
PYTHON
}

# What they ran since the first time: a tenth of a second, so that chance has little to say.
have_run() {
	kernel_threads "$tmp/after"
	python3 - "$tmp/before" "$tmp/after" <<'PYTHON'
import json, sys
before, after = (json.load(open(path)) for path in sys.argv[1:])
sys.exit(sum(after[pid] - before.get(pid, 0) for pid in after) < 1e8)
PYTHON
}

# A network namespace that nobody uses any more is taken down by a worker of the kernel.
unshare --net true 2>/dev/null || skip 'no network namespaces'
while :; do unshare --net true; done &
started+=("$!")

top_start --json -a -F 999 -i 1
wait_intervals 1
kernel_threads "$tmp/before"
wait_for have_run
top_end
check "$tmp/before" "$tmp/after" <<'PYTHON'
before, after = (truths(path) for path in args)
ran = {int(pid): after[pid] - before.get(pid, 0) for pid in after}
seen = [sample for sample in run.samples if sample.pid in ran]
expect_eq("samples with users' frames", sum(s.count for s in seen if s.user), 0)
# They ran before and after as well. Interrupts are off now and then, and hit whoever comes next.
ran_s = sum(ran.values()) / 1e9
period_s = run.sampled_s / run.counted
least_s = (1 - STOLEN - SWITCHING) * ran_s - chance_s(period_s, ran_s / period_s)
expect_at_least("CPU time of kernel threads, s", sum(s.count for s in seen) * period_s, least_s)
busiest = max(ran, key=ran.get)
expect_at_least("samples of the busiest", sum(s.count for s in seen if s.pid == busiest), 1)
PYTHON
pass
