#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Assertions on what --json printed: check.py FILE [ARGUMENT...] < assertions

First, in every interval, what is true of every run: the schema, and a ledger that balances to the
sample. Then the assertions on standard input, which are Python and see `run`, the arguments as
`args`, and the functions below. A failed one ends with both values and exit status 1.
"""

import json
import math
import os
import re
import statistics
import sys
import time

SCHEMA = "topstacks.interval/1"

# All statistical assertions of one test together fail by chance once in a million runs.
ERROR_PROBABILITY = 1e-6


class Failed(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failed(message)


def expect_eq(what, actual, expected):
    expect(actual == expected, f"{what} is {actual!r}, expected {expected!r}")


def expect_at_least(what, actual, least):
    expect(actual >= least, f"{what} is {actual}, expected at least {least}")


def expect_at_most(what, actual, most):
    expect(actual <= most, f"{what} is {actual}, expected at most {most}")


def expect_near(what, actual, expected, tolerance):
    expect(
        abs(actual - expected) <= tolerance,
        f"{what} is {actual:.6g}, expected {expected:.6g} +- {tolerance:.3g}",
    )


def binomial_tolerance(samples, share, comparisons=1):
    """How far a share may be off with so many samples, by the normal approximation."""
    z = statistics.NormalDist().inv_cdf(1 - ERROR_PROBABILITY / 2 / comparisons)
    return z * math.sqrt(share * (1 - share) / samples) + 0.5 / samples


def expect_shares(counts, truth):
    """counts and truth: {name: number}; the shares of the sums are compared."""
    samples, total = sum(counts.values()), sum(truth.values())
    expect_at_least("samples", samples, 1000)
    for name, amount in truth.items():
        share = amount / total
        expect_near(
            f"share of {name} in {samples} samples",
            counts.get(name, 0) / samples,
            share,
            binomial_tolerance(samples, share, len(truth)),
        )


# What coverage may be off by: docs/ledger.md, "The second account", has the table.
CLOCK_MONOTONIC_COARSE = 6  # moves on once a tick
TICK_S = time.clock_getres(CLOCK_MONOTONIC_COARSE)  # a running task's time is that old
STAT_TICK_S = 1 / os.sysconf("SC_CLK_TCK")  # /proc/stat's unit
SLICE_S = 0.0007  # the scheduler lets a task run so long, unless it sleeps
ENDING_S = 20e-6  # of a task, after its own clocks have been read for the last time
READING_S = 0.03  # allowed, from reading one account to reading the other, where both CPUs are busy
STOLEN = 0.02  # of the time, by a hypervisor
SWITCHING = 0.12  # of the time of tasks that switch all the time


def chance_s(period_s, samples, runs=None):
    """Of samples that are cut at random where each run of a task begins and ends."""
    z = statistics.NormalDist().inv_cdf(1 - ERROR_PROBABILITY / 2)
    # A run has one sample more or less with variance 1/4 at most; and never more than chance has.
    variance = samples if runs is None else min(runs / 4, samples)
    return z * period_s * math.sqrt(variance)


def coverage_tolerance_s(run, tasks=None, system=False, switching=False):
    """
    tasks: how many there were that slept seldom, None if unknown or they often sleep. system: the
    account is /proc/stat's. switching: timers fall due while interrupts are off, and hit the next.
    """
    runs = None if tasks is None else tasks + run.ran_s / SLICE_S
    cpus = run.intervals[0]["cpus"]
    clocks_s = cpus * (TICK_S + (STAT_TICK_S if system else 0))
    period_s = run.sampled_s / max(run.counted, 1)
    lost_s = run.lost * period_s  # they would have been the target's
    share = STOLEN + (SWITCHING if switching else 0)
    clocks_s += READING_S
    return chance_s(period_s, run.counted, runs) + clocks_s + lost_s + share * run.ran_s


def expect_coverage(run, all_busy=False, **kind):
    """
    The two accounts agree as far as they can; kind: as coverage_tolerance_s has it. all_busy: no CPU of the run is idle,
    so periods that are due and no event were late, as the ledger says. That much may lack.
    """
    expect_at_least("samples", run.counted, 100)
    tolerance_s = coverage_tolerance_s(run, **kind)
    if all_busy:
        expect_at_most("late, of what was due", run.late / (run.late + run.events), 0.5)
    late_s = run.late * run.sampled_s / max(run.counted, 1) if all_busy else 0
    expect_at_most("CPU time sampled, s", run.sampled_s, run.ran_s + tolerance_s)
    expect_at_least("CPU time sampled, s", run.sampled_s, run.ran_s - tolerance_s - late_s)


def expect_due(run):
    """
    What falls due belongs to its time: so many periods a second and CPU, from the end of the first
    interval, which begins before its events do, to the end of each. A CPU's period differs by up to
    2 % from what is asked for.
    """
    due = periods = 0
    for number, interval in enumerate(run.intervals[1:], start=1):
        a_second = interval["asked_hz"] * interval["cpus"]
        due += interval["ledger"]["due"]
        periods += interval["duration_s"] * a_second
        expect_near(f"periods due until interval {number}", due, periods, 0.02 * periods + READING_S * a_second)


def poisson_most(mean):
    """So many of independent rare events with this mean, or fewer: the exact bound."""
    if not mean:
        return 0
    count, below = -1, 0
    while 1 - below > ERROR_PROBABILITY:
        count += 1
        below += math.exp(count * math.log(mean) - mean - math.lgamma(count + 1))
    return count


class Fires:
    """What oracles, one a CPU, saw of the events' timers, and what a run of one process made of it."""

    def __init__(self, paths, run, hz, pid):
        told = [truths(path) for path in paths]
        ledgers = [interval["ledger"] for interval in run.intervals]
        self.fires = sum(one["fires"] for one in told)
        self.skipped = self.fires - run.events
        self.is_explained = all("hidden" in one for one in told)
        if self.is_explained:
            self.hidden = sum(one["hidden"] for one in told)
            self.switched_off = sum(sum(one["switched_off"].values()) for one in told)
            self.by_ourselves = sum(one["switched_off"].get(pid, 0) for one in told)
        else:  # an old kernel, in a guest where nobody else is
            self.hidden, self.switched_off, self.by_ourselves = 0, self.skipped, self.skipped
        self.calls = sum(one["stacks_read"] + one["map_calls"] for one in ledgers)
        self.calls_s = sum(one["stacks_read_s"] + one["map_calls_s"] for one in ledgers)
        self.periods_in_calls = self.calls_s * hz

    def expect_explained(self):
        """Each fire without a run fell into a bpf() call, or into code that the kernel hides."""
        expect_at_least("skipped", self.skipped, 0)
        expect_at_least("skipped", self.skipped, self.switched_off)
        expect_at_most("skipped", self.skipped, self.switched_off + self.hidden)

    def expect_bounded(self):
        """The ledger bounds what our own calls skip: by their number and by their time."""
        most = min(self.calls + self.periods_in_calls, poisson_most(self.periods_in_calls))
        expect_at_most("skipped by our calls", self.by_ourselves, most)


def truths(path):
    """The JSON lines that a workload printed, merged."""
    merged = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("{"):
                merged.update(json.loads(line))
    return merged


class Sample:
    """One element of samples; frames leaf first, as printed."""

    def __init__(self, values):
        self.raw = values
        self.pid = values["pid"]
        self.tid = values.get("tid")
        self.comm = values["comm"]
        self.count = values["count"]
        self.ns = values.get("weight_ns", values.get("weight", 0))
        self.wait = values.get("wait")
        state = values.get("state", {})  # a file has each for itself
        self.states = {state: self.ns} if isinstance(state, str) else state
        self.is_blocked = any(state in BLOCKED for state in self.states)
        self.frames = values["frames"]
        self.user = [frame for frame in self.frames if frame["kind"] != "kernel"]
        self.kernel = [frame for frame in self.frames if frame["kind"] == "kernel"]
        self.interpreted = [frame for frame in self.frames if frame["kind"] == "interpreted"]
        self.functions = [frame.get("function") for frame in self.frames]

    def has(self, function):
        return function in self.functions

    @property
    def chain(self):
        """What an interpreter ran, innermost first, as workloads tell of it: [[function, module], ...]"""
        return [[frame["function"], frame["module"]] for frame in self.interpreted]


def expect_one_path(sample, levels):
    """
    Of the workload `stacks LEVELS SECONDS MICROSECONDS twice`: no part of the stack is another one's, as the second half of
    each path turns as the first. How many levels are missing: the caller of what is being entered may be.
    """
    turns = [name for name in reversed(sample.functions) if re.fullmatch(r"[LR]\d+", name or "")]
    sides = {int(turn[1:]): turn[0] for turn in turns}
    expect_eq("levels, from main on", [int(turn[1:]) for turn in turns], sorted(sides))
    for level in range(levels):
        halves = {sides[one] for one in (level, level + levels) if one in sides}
        expect(len(halves) < 2, f"a path of two: {turns}")
    return 2 * levels - len(sides)


def saved_samples(path):
    """What report --format json says of a file."""
    with open(path, encoding="utf-8") as file:
        saved = json.load(file)
    return [Sample(one | {"frames": [saved["frames"][i] for i in one["frames"]]}) for one in saved["samples"]]


class Run:
    def __init__(self, intervals):
        self.intervals = intervals
        self.samples = [Sample(values) for one in intervals for values in one["samples"]]
        self.duration = sum(one["duration_s"] for one in intervals)
        for name in ("events", "counted", "idle", "filtered", "lost"):
            setattr(self, name, sum(one["ledger"][name] for one in intervals))
        for name in ("whole", "truncated", "unverified"):
            setattr(self, name, sum(one["ledger"]["stacks"][name] for one in intervals))
        self.missing = self.counted - self.whole - self.truncated - self.unverified
        self.sampled_s = sum(one["ledger"]["coverage"]["sampled_s"] or 0 for one in intervals)
        self.late = max(0, sum(one["ledger"]["due"] for one in intervals) - self.events)
        self.weight = sum((one["values"]["weight"] or {"total": 0})["total"] for one in intervals)
        self.ran_s = sum(one["ledger"]["coverage"]["ran_s"] for one in intervals)

        for name in WALL:
            setattr(self, name, sum(one["ledger"].get(name, 0) for one in intervals))

    def ns(self, wanted):
        return sum(sample.ns for sample in self.samples if wanted(sample))

    @property
    def coverage(self):
        return 100 * self.sampled_s / self.ran_s if self.ran_s else math.nan

    def count(self, wanted):
        return sum(sample.count for sample in self.samples if wanted(sample))

    def with_function(self, function):
        return self.count(lambda sample: sample.has(function))

    def enough(self, samples):
        """So many come if the target has a CPU to itself; on a busy machine, in proportion to what it had."""
        return samples * min(1, self.ran_s / self.duration) if self.ran_s else samples

    @property
    def pids(self):
        return {sample.pid for sample in self.samples}


# What threads did in their time, where waits are sampled.
WALL = ("wall_ns", "running_ns", "runnable_ns", "blocked_ns", "unknown_ns", "unplaced_ns", "scheduled_ns",
        "delayed_ns", "uncredited_ns", "overcredited_ns", "switches", "asleep", "asleep_walked")
BLOCKED = ("interruptible", "uninterruptible", "disk")


def scheduler_tolerance_ns(ns, switches):
    """It does not read its clock at each switch, and we do."""
    return 0.005 * ns + 10e3 * switches


def expect_credited(run):
    """What it credits to others and to nobody is known for each run of a thread whose begin was seen."""
    expect_near("running, as the scheduler credits it, ns", run.running_ns - run.uncredited_ns + run.overcredited_ns,
                run.scheduled_ns, 1e6 + run.unknown_ns)


def expect_known(run):
    """
    The kernels of some virtual machines tell nobody when threads of the machine's own leave a CPU. Who comes next was
    not seen to come: that wait ends for us when the thread leaves again, and its last part is unknown.
    """
    expect_at_most("unknown, of all time", run.unknown_ns / run.wall_ns, 0.02)
    expect_eq("runnable and blocked that are in no sample, ns", run.unplaced_ns, 0)


def unseen(run, switches):
    """How many of so many switches may be such ones: none if nothing is unknown."""
    return 3 + switches // 200 if run.unknown_ns else 0


def is_natural(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def check_frame(frame):
    expect(frame["kind"] in ("user", "kernel", "jit", "interpreted"), f"kind of {frame}")
    if frame.get("function") is not None:
        expect("offset" not in frame, f"offset beside a function in {frame}")
    expect_eq(f"it says whether it is identified, {frame}", "identified" in frame, frame["function"] is None)


def is_counted(sample):
    """A wait that has not ended has a weight alone."""
    return sample["count"] > 0 or "state" in sample and sample["weight_ns"] > 0


def check_sample(sample):
    expect(is_natural(sample["count"]) and is_counted(sample), f"count of {sample}")
    expect(isinstance(sample["pid"], int) and isinstance(sample["comm"], str), f"{sample}")
    for frame in sample["frames"]:
        check_frame(frame)


def check_wall(interval):
    """
    Each nanosecond of each thread is in one part, and each that is no running time in one sample, or of no lock, or of a
    wait on a CPU that nobody asked for.
    """
    ledger = interval["ledger"]
    parts = sum(ledger[name] for name in ("running_ns", "runnable_ns", "blocked_ns", "unknown_ns"))
    expect_eq("wall less running, runnable, blocked and unknown, ns", ledger["wall_ns"] - parts, 0)
    for sample in interval["samples"]:
        expect_eq(f"weight by state of {sample}", sum(sample["state"].values()), sample["weight_ns"])
    if interval["event"] == "lock" or interval["cpus"] < os.cpu_count():
        return
    placed = sum(sample["weight_ns"] - sample["state"].get("running", 0) for sample in interval["samples"])
    expect_eq(
        "runnable and blocked less what is in samples, or in none, ns",
        ledger["runnable_ns"] + ledger["blocked_ns"] - placed - ledger["unplaced_ns"],
        0,
    )


def check_interval(interval):
    expect_eq("schema", interval["schema"], SCHEMA)
    for sample in interval["samples"]:
        check_sample(sample)
    ledger = interval["ledger"]
    for name in ("events", "counted", "idle", "filtered", "lost"):
        expect(is_natural(ledger[name]), f"{name} is {ledger[name]!r}")
    expect_eq(
        "events less counted, idle, filtered and lost",
        ledger["events"] - ledger["counted"] - ledger["idle"] - ledger["filtered"] - ledger["lost"],
        0,
    )
    expect_eq("sum of lost_by", sum(ledger["lost_by"].values()), ledger["lost"])
    expect_eq("sum of samples", sum(one["count"] for one in interval["samples"]), ledger["counted"])
    stacks = ledger["stacks"]
    expect_eq(
        "whole + truncated + unverified + missing",
        stacks["whole"]
        + stacks["truncated"]
        + stacks["unverified"]
        + sum(stacks["missing_by"].values()),
        ledger["counted"],
    )
    if ledger.get("wall_ns"):
        check_wall(interval)
    expect_at_least("sampled_s", ledger["coverage"]["sampled_s"] or 0, 0)
    expect_at_least("ran_s", ledger["coverage"]["ran_s"], 0)


def read_intervals(path):
    with open(path, encoding="utf-8") as lines:
        intervals = [json.loads(line) for line in lines]
    expect(intervals, f"no interval in {path}")
    for number, interval in enumerate(intervals):
        try:
            check_interval(interval)
        except Failed as failure:
            ledger = json.dumps(interval["ledger"])
            raise Failed(f"interval {number}: {failure}\n{ledger}") from None
    return intervals


def main():
    try:
        run = Run(read_intervals(sys.argv[1]))
        scope = dict(globals(), run=run, args=sys.argv[2:], json=json, math=math, re=re)
        exec(compile(sys.stdin.read(), "<assertions>", "exec"), scope)
    except Failed as failure:
        sys.exit(f"check: {failure}")
    except (KeyError, ValueError) as broken:
        sys.exit(f"check: not as documented: {broken!r}")


main()
