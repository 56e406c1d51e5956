#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Events that the kernel counts, to the last one: against perf's own descriptor, against the kernel's account of
# the process, and against what a program knows that it did. What is missing is in the ledger as lost: a bpf() call
# that was interrupted on a busy machine, say, keeps the program out meanwhile.
. "$(dirname "$0")/lib.sh"
command -v perf >/dev/null || skip "no perf"

# account [ARGUMENTS...] < assertions: as check, which see expect_exact(what, counted, truth), to what was lost.
account() {
	check "$@" < <(
		cat <<-'PYTHON'
			def expect_exact(what, counted, truth):
			    expect_at_most(what, counted, truth)
			    expect_at_least(f"{what}, with what was lost", counted + run.lost, truth)

			busy = sum(one["ledger"]["lost_by"]["program_busy"] for one in run.intervals)
			expect_eq("lost for other reasons", run.lost - busy, 0)
		PYTHON
		cat
	)
}

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

# sample_counters OPTIONS...: a program makes its events from one sleep to the next; sets switches.
sample_counters() {
	start counters "$pages" "$naps"
	wait_for sleeps "$pid"
	switches=$(switches_of "$pid")
	top_start --json -i 60 -p "$pid" "$@"
	wait_sampling
	kill -USR1 "$pid"
	wait_for is_done
	wait_for sleeps "$pid"
	switches=$(($(switches_of "$pid") - switches))
	top_end
}

# Of a whole process, with all that the C library and the kernel do before main.
pages=5000 naps=0
json -e page-faults -- perf stat -x, -e page-faults -o "$tmp/stat" "$workloads/counters" "$pages" "$naps" now
grep -v '^{"schema"' "$out" >"$tmp/truth"
grep '^{"schema"' "$out" >"$tmp/run" && mv "$tmp/run" "$out"
account "$tmp/truth" "$(awk -F, '/page-faults/ { print $1 }' "$tmp/stat")" <<'PYTHON'
truth = truths(args[0])
counted = run.count(lambda s: s.comm == "counters")
expect_exact("page faults, by perf", counted, int(args[1]))
expect_at_least("page faults, by perf", int(args[1]), truth["faults"])
expect_exact("in touch_pages", run.with_function("touch_pages"), truth["pages"])
expect_exact("in read_pages", run.with_function("read_pages"), truth["pages"])
expect_eq("between two looks of the program", truth["faults"], 2 * truth["pages"])
expect_eq("weight", run.weight, run.counted)
expect_eq("CPU time of page faults", run.intervals[0]["ledger"]["coverage"]["sampled_s"], None)
for sample in run.samples:
    expect(not sample.has("touch_pages") or not sample.kernel, "touch_pages is interrupted in user mode")
    expect(not sample.has("read_pages") or sample.kernel, "read_pages is interrupted in the kernel")
PYTHON

# A mode alone.
sample_counters -e page-faults:u
account <<'PYTHON'
expect_exact("in touch_pages, and main", run.count(lambda s: s.has("touch_pages") and s.has("main")), 5000)
expect_eq("in read_pages", run.with_function("read_pages"), 0)
expect_eq("event", run.intervals[0]["event"], "page-faults:u")
PYTHON
sample_counters -e page-faults:k
account <<'PYTHON'
expect_eq("in touch_pages", run.with_function("touch_pages"), 0)
expect_exact("in read_pages, and main", run.count(lambda s: s.has("read_pages") and s.has("main")), 5000)
PYTHON

# Context switches from one sleep to the next, with the stacks that the sleeps were called from.
pages=10 naps=2000
sample_counters -e context-switches
account "$switches" "$output" <<'PYTHON'
expect_exact("context switches, by the kernel", run.counted, int(args[0]))
sleeps = truths(args[1])["sleeps"]
expect_at_least("sleeps of the program", sleeps, 1000)
expect_at_least("in nap, and main, or lost", run.count(lambda s: s.has("nap") and s.has("main")) + run.lost, sleeps)
for sample in run.samples:
    expect(sample.kernel, "a switch happens in the kernel")
PYTHON

# A sample for each hundred of all that happens on the CPU. Others have a part in it: whose is the hundredth is chance.
pages=50000 naps=0
json -C 0 -e page-faults:u/period=100/ -- taskset -c 0 "$workloads/counters" "$pages" "$naps" now
grep '^{"schema"' "$out" >"$tmp/run" && mv "$tmp/run" "$out"
account <<'PYTHON'
touched = run.with_function("touch_pages") / 50000
expect_near("samples of each of 50,000 faults", touched, 0.01, binomial_tolerance(50000, 0.01))
expect_at_least("samples on the CPU", run.events, 500)
expect_near("weight of each", run.weight / run.counted, 100, 1e-3)
PYTHON

# Two events at a time keep each other's programs out, if at all, and not unsaid.
pages=20000
sample_counters -e minor-faults,page-faults
account <<'PYTHON'
expect_exact("in touch_pages", run.with_function("touch_pages"), 20000)
expect_exact("in read_pages", run.with_function("read_pages"), 20000)
PYTHON

# What this machine, or anyone, has not.
top -a -d 1 -e page-fault
expect_status 2
expect_err 'no such event: "page-fault"; near: page-faults'
top -a -d 1 -e page-faults/freq=500/
expect_status 2
expect_err '"page-faults" takes no freq='
top -a -d 1 -e page-faults/period=0/
expect_status 2
expect_err 'period is a whole number from 1 to'
if ! perf stat -e cycles true 2>&1 | grep -q '[0-9] *cycles'; then
	top -a -d 1 -e cycles
	expect_status 3
	expect_err 'this machine has no counter for "cycles"'
fi
pass
