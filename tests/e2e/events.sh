#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Several events in one run: each has its own samples and a ledger that balances, and none disturbs another
# unsaid. What their programs keep out of the CPU's time is lost by name, and its shares stay what they are.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/of.py" <<'PYTHON'
def of(name):
    """The run as if this event alone had been sampled."""
    intervals = [dict(one, **event) for one in run.intervals for event in one["events"] if event["event"] == name]
    for one in intervals:
        check_interval(one)
    return Run(intervals)


def busy(event):
    return sum(one["ledger"]["lost_by"]["program_busy"] for one in event.intervals)


def expect_events(*names):
    for one in run.intervals:
        expect_eq("events", [event["event"] for event in one["events"]], list(names))
        expect_eq("the one that is shown", one["event"], names[0])
PYTHON

# ---- faults of a known number, beside CPU time ----

json -e page-faults,cpu -F 4999 -i 60 -- "$workloads/counters" 50000 0 now
grep '^{"schema"' "$out" >"$tmp/run" && mv "$tmp/run" "$out"
check "$tmp/of.py" <<'PYTHON'
exec(open(args[0]).read())
expect_events("page-faults", "cpu-clock")
faults, cpu = of("page-faults"), of("cpu-clock")
expect_at_most("faults in touch_pages", faults.with_function("touch_pages"), 50000)
expect_at_least("with what was lost", faults.with_function("touch_pages") + faults.lost, 50000)
expect_at_least("CPU samples there", cpu.with_function("touch_pages"), 1)
expect_near("CPU time sampled or lost, s", cpu.sampled_s + busy(cpu) / 4999, cpu.ran_s, 0.03 + 0.05 * cpu.ran_s)
expect_eq("faults have no rate", faults.intervals[0]["asked_hz"], 0)
expect_eq("nor a measured CPU time", faults.intervals[0]["ledger"]["coverage"]["measured"], False)
PYTHON

# ---- shares of CPU time, with others at work: as they are without ----

start thread_storm 4 5 60
load=$pid
json -F 4999 -i 60 -e cpu,page-faults,sched:sched_switch -- sh -c 'exec "$1" 2.5 >"$2"' sh "$workloads/shares" "$tmp/truth"
check "$tmp/of.py" "$tmp/truth" <<'PYTHON'
exec(open(args[0]).read())
expect_events("cpu-clock", "page-faults", "sched:sched_switch")
truth = truths(args[1])["functions_ns"]
cpu, faults, switches = of("cpu-clock"), of("page-faults"), of("sched:sched_switch")
expect_shares({name: cpu.with_function(name) for name in truth}, truth)
expect_at_least("page faults", faults.counted, 1)
expect_at_least("switches", switches.counted, 1)
expect(all(sample.kernel for sample in switches.samples), "a switch happens in the kernel")
PYTHON
stop "$load"

# ---- one that brings ever new stacks, and is not drained, loses its own samples and nobody else's ----

# ticks_of PID: CPU time that it has had, in hundredths of a second.
ticks_of() {
	awk '{ print $14 + $15 }' "/proc/$1/stat"
}

has_had() {
	[ "$(ticks_of "$1")" -ge "$2" ]
}

start counters 20000 0
other=$pid
said=$output
start stacks 17 60
top_start --json -p "$pid,$other" -F 19999 -i 0.5 --max-memory 8M --unwind fp -e cpu,page-faults
wait_for test -s "$out"
kill -USR1 "$other"
kill -STOP "$top_pid"
wait_for has_had "$pid" $(($(ticks_of "$pid") + 100))
kill -CONT "$top_pid"
wait_for grep -q "done" "$said"
top_end
check "$tmp/of.py" <<'PYTHON'
exec(open(args[0]).read())
cpu, faults = of("cpu-clock"), of("page-faults")
full = lambda event: sum(one["ledger"]["lost_by"]["counts_full"] for one in event.intervals)
expect_at_least("samples for which there was no room", full(cpu), 100)
expect_at_least("page faults", faults.counted + faults.lost, 40000)
expect_eq("page faults for which there was no room", full(faults), 0)
expect_eq("stacks of theirs that are missing", faults.missing, 0)
PYTHON

# ---- a program that runs where interrupts are on keeps the CPU's out: lost, and not late ----

"$topstacks" list sys_enter_clock_gettime 2>/dev/null | grep -q . || pass
json -F 4999 -i 60 -e cpu,syscalls:sys_enter_clock_gettime -- sh -c 'exec "$1" 2.5 >"$2"' sh "$workloads/shares" "$tmp/truth"
check "$tmp/of.py" "$tmp/truth" <<'PYTHON'
exec(open(args[0]).read())
truth = truths(args[1])["functions_ns"]
cpu, calls = of("cpu-clock"), of("syscalls:sys_enter_clock_gettime")
expect_at_least("calls", calls.counted, 10000)
expect_at_least("lost by them", busy(cpu), 10)
expect_at_least("CPU time sampled or lost, of others too, s", cpu.sampled_s + busy(cpu) / 4999, 0.95 * cpu.ran_s)
expect_shares({name: cpu.with_function(name) for name in truth}, truth)
PYTHON

# Of all CPUs, idle ones too, the account is whole: what was due made an event, or was lost.
start shares 60
json -a -F 150 -i 60 -d 3 -e cpu,syscalls:sys_enter_clock_gettime
check "$tmp/of.py" <<'PYTHON'
exec(open(args[0]).read())
cpu = of("cpu-clock")
due = sum(one["ledger"]["due"] for one in cpu.intervals)
expect_at_least("lost by calls", busy(cpu), 10)
expect_near("sampled, idle or lost, of what was due", cpu.events, due, 0.1 * due)
PYTHON
pass
