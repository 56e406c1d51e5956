#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# No sample is skipped while the maps are drained, though the drain runs on the CPU that is sampled:
# an oracle counts the timer fires of the same event on its own, and knows of each one without a run
# what kept it from running. What our own calls skip stays within the bound that the ledger gives.
. "$(dirname "$0")/lib.sh"

hz=4957

# judge known|new|read: what stacks there are, and whether new ones are read by system call.
judge() {
	check "$tmp/fires" "$top_pid" "$hz" "$1" <<'PYTHON'
path, pid, hz, stacks = args
seen = Fires([path], run, float(hz), pid)
reads = sum(i["ledger"]["stacks_read"] for i in run.intervals)
expect_at_least("timer fires", seen.fires, 10000)
expect_at_least("drains", sum(i["ledger"]["drains"] for i in run.intervals), 4)
seen.expect_explained()
seen.expect_bounded()
expect_at_least("samples", run.counted, run.enough(500))
if stacks == "new" and run.intervals[0]["unwinding"] == "unwind tables":
    expect_eq("stacks read", reads, 0)
elif stacks != "known":
    expect_at_least("stacks read", reads, 1)
PYTHON
}

# run_stacks LEVELS: 2^LEVELS paths to one function, on the sampled CPU.
run_stacks() {
	start stacks "$1" 60
	taskset -cp 0 "$pid" >/dev/null
}

# After the first interval nothing is new, and everything is counted.
run_stacks 6
oracle "$hz" -p "$pid" -i 0.2 -d 4
judge known
kill "$pid"

# New stacks all the time: none is read by system call where tables unwind.
run_stacks 13
oracle "$hz" -U -p "$pid" -i 1 -d 4
judge new

# Along frame pointers each is.
oracle "$hz" --unwind fp -p "$pid" -i 1 -d 4
judge read

# Whoever is to end the run is 0.2 s late at each wait. No timer fires after what is counted.
if command -v strace >/dev/null; then
	under=(strace -D -qq -o /dev/null -e trace=ppoll -e inject=ppoll:delay_exit=200000)
	oracle "$hz" -U -p "$pid" -i 1 -d 4
	judge new
fi
pass
