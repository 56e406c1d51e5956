#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Context switches are counted to the last one, against the kernel's own account of the process, also where they
# preempt another process in the midst of its bpf() calls: these keep out programs of perf events, and no others.
. "$(dirname "$0")/lib.sh"

# switches_of PID: how often it has left the CPU, as the kernel has it.
switches_of() {
	awk '/ctxt_switches/ { sum += $2 } END { print sum }' "/proc/$1/status"
}

sleeps() {
	[ "$(awk '/^State:/ { print $2 }' "/proc/$1/status")" = S ]
}

is_done() {
	grep -q "done" "$output"
}

# sample_naps EVENTS: a program sleeps 3,000 times on the first CPU; sets switches.
sample_naps() {
	start counters 10 3000
	taskset -pc 0 "$pid" >/dev/null
	wait_for sleeps "$pid"
	switches=$(switches_of "$pid")
	top_start --json -i 60 -p "$pid" -e "$1"
	wait_sampling
	kill -USR1 "$pid"
	wait_for is_done
	wait_for sleeps "$pid"
	switches=$(($(switches_of "$pid") - switches))
	top_end
}

sample_naps context-switches
check "$switches" "$output" <<'PYTHON'
expect_eq("context switches, by the kernel", run.counted, int(args[0]))
expect_eq("lost", run.lost, 0)
sleeps = truths(args[1])["sleeps"]
expect_at_least("in nap, and main", run.count(lambda s: s.has("nap") and s.has("main")), sleeps)
for sample in run.samples:
    expect(sample.kernel, "a switch happens in the kernel")
    expect(not any("bpf" in frame["function"] for frame in sample.frames if frame["function"]),
           "stacks begin with the scheduler, and not with what looks at it")
PYTHON

taskset -c 0 nice python3 "$root/tests/oracle/hammer.py" 60 >"$tmp/hammer" 2>&1 &
started+=("$!")
wait_for grep -q ready "$tmp/hammer"
sample_naps context-switches
check "$switches" <<'PYTHON'
expect_eq("context switches, by the kernel", run.counted, int(args[0]))
expect_eq("lost", run.lost, 0)
PYTHON

# One in ten stands for ten: less than one on each CPU is in no sample yet.
sample_naps context-switches/period=10/
check "$switches" <<'PYTHON'
expect_at_most("they stand for", run.weight, int(args[0]))
expect_at_least("they stand for, and a rest", run.weight + 9 * run.intervals[0]["cpus"], int(args[0]))
PYTHON
pass
