#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Ever new stacks: some 20,000 of them a second keep their frames in the memory that is allowed, and
# the program itself stays small. Where there is too little, the stacks that found no room are
# counted, with the reason and what to do, and those that did are right.
. "$(dirname "$0")/lib.sh"

[ "$(nproc)" -gt 1 ] || skip 'one CPU only'

# 2^17 stacks in each of two processes, which leave the CPU to whoever wants it.
start stacks 17 60
pids=$pid
start stacks 17 60
pids+=,$pid
renice -n 10 -p "${pids%,*}" "${pids#*,}" >/dev/null

json -p "$pids" -F 9999 -i 5 --once
check <<'PYTHON'
expect_at_most("kernel memory of the maps", run.intervals[0]["cost"]["kernel_bytes"], 64 << 20)
expect_at_most("memory", run.intervals[0]["cost"]["resident_bytes"], 128 << 20)
# n samples of m stacks that are alike hit m (1 - e^(-n/m)) of them, if none is forgotten.
distinct = len({(s.pid, tuple(s.functions)) for s in run.samples if s.has("leaf")})
stacks = 2 * 2**17
in_leaves = run.with_function("leaf")
hit = stacks * (1 - math.exp(-in_leaves / stacks))
# Where timers are late, samples follow each other so closely that two are of one visit.
if run.late < 0.05 * run.events and run.counted > 0.75 * run.events:
    expect_eq("lost", run.lost, 0)
    expect_eq("missing stacks", run.missing, 0)
    expect_at_least("samples in leaves", in_leaves, 0.7 * run.counted)
    expect_at_least("distinct stacks", distinct, 0.95 * hit)
else: # a machine with other work: the profiler itself may have had to wait
    expect_at_most("lost", run.lost, 0.1 * run.counted)
    expect_at_most("missing stacks", run.missing, 0.1 * run.counted)
    expect_at_least("distinct stacks", distinct, 0.5 * hit)
expect_coverage(run, all_busy=True)
PYTHON

# The same for longer, as text: memory finds its level.
top_start -p "$pids" -F 19999 -i 1 -d 6
sleep 5
peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$top_pid/status")
top_wait
expect_status 0
[ "$peak" -lt 160000 ] || fail "peak memory is $peak kB"

# The smallest maps, and a program that cannot empty them in time. Unwind tables have a bound of
# their own, so they stay out.
top_start --json -p "$pids" -F 19999 -i 0.5 -d 3 --max-memory 8M --unwind fp
wait_for test -s "$out"
kill -STOP "$top_pid"
sleep 2
kill -CONT "$top_pid"
top_wait
expect_status 0
check <<'PYTHON'
reasons = {}
for interval in run.intervals:
    expect_at_most("kernel memory of the maps", interval["cost"]["kernel_bytes"], 8 << 20)
    for name, count in (interval["ledger"]["stacks"]["missing_by"] | interval["ledger"]["lost_by"]).items():
        reasons[name] = reasons.get(name, 0) + count
full = reasons.pop("spill_full") + reasons.pop("counts_full")
expect_at_least("samples and stacks for which the maps were full", full, 100)
expect_eq("other losses", {name: count for name, count in reasons.items() if count}, {})
expect_coverage(run, all_busy=True)

# What is there is right: levels in their order, none of another stack. While a function is entered
# or left, its caller is missed: one level, rarely.
wrong = 0
for sample in run.samples:
    path = [name for name in reversed(sample.functions) if name and re.fullmatch(r"[LR]\d+", name)]
    levels = [int(name[1:]) for name in path]
    expect_eq("order of levels", levels, sorted(set(levels)))
    wrong += sample.count * (sample.has("leaf") and len(levels) < 17)
expect_at_most("stacks with a gap", wrong, run.counted // 50)
PYTHON

# The same in words.
top_start -p "$pids" -F 19999 -i 0.2 -d 2 --max-memory 8M --unwind fp
wait_for test -s "$out"
kill -STOP "$top_pid"
sleep 2
kill -CONT "$top_pid"
top_wait
expect_status 0
grep -qE '^LOST .*full: raise --max-memory' "$out" || fail 'nobody says what to do'
pass
