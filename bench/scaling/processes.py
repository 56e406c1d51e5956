# SPDX-License-Identifier: GPL-2.0-only
"""Processes of ten threads each, all of them alive, in a system-wide run. Two at a time run, each for 1.5 ms, so
that a round shows each of them to the sampler; all of them were there before it."""

import contextlib
import json
import time

from harness import process, tools
from harness.target import Target

TITLE = "processes of 10 threads each, alive"
SIZES = (2_500, 5_000, 10_000)
THREADS, TURN_US, HZ = 10, 1500, 999
SEEN = 0.95  # of them, in one round or a little more: a turn may fall between two samples
ROOTS = {"clone3", "_start"}  # no frame pointer leads there

COSTS = {
    "begin_cpu_s": ("CPU of a run of 0.1 s, s", "{:.2f}"),
    "begin_s": ("length of it, s", "{:.2f}"),
    "cpu_s": ("CPU until then, s", "{:.2f}"),
    "drain_ms": ("a drain, ms", "{:.2f}"),
    "flip_us": ("a change of sets, us", "{:.0f}"),
    "seen_mb": ("resident memory then, MB", "{:.1f}"),
    "map_mb": ("BPF maps, MB", "{:.1f}"),
}
TOLD = {
    "peak_mb": ("peak memory of four rounds, MB", "{:.1f}"),
    "unseen": ("processes that were never seen", "{:.0f}"),
    "seen_s": ("until 95 % were seen, s", "{:.1f}"),
    "round_s": ("a round of all processes, s", "{:.1f}"),
    "whole_s": ("until 98 % of their stacks were whole, s", "{:.1f}"),
    "unread": ("samples without names, which is told", "{:.0f}"),
    "unlisted": ("processes that found no room for a list, times", "{:.0f}"),
}
NONE_OF = {
    "lost": "lost sample",
    "silent": "sample that lacks names in silence",
    "unbalanced": "ledger that does not balance",
}

PID_MAX = "/proc/sys/kernel/pid_max"


def _read(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def _write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


@contextlib.contextmanager
def many_pids():
    before = _read(PID_MAX)
    _write(PID_MAX, "4194304")
    try:
        yield
    finally:
        _write(PID_MAX, before)


def _nr_tasks():
    return int(_read("/proc/loadavg").split()[3].partition("/")[2])


@contextlib.contextmanager
def crowd(nr_processes):
    """Waits at the end until all have gone, so that the next measurement has none of them."""
    before = _nr_tasks()
    with many_pids():
        with Target("crowd", nr_processes, THREADS, TURN_US, directory="bench/workloads") as target:
            yield target
        while _nr_tasks() > before + 1000:
            time.sleep(0.1)


def _round_s(target, nr_processes):
    before, start = target.snapshot()["turns"], time.monotonic()
    time.sleep(2)
    a_second = (target.snapshot()["turns"] - before) / (time.monotonic() - start)
    return nr_processes / a_second


def _count(samples, wanted):
    return sum(sample["count"] for sample in samples if wanted(sample))


def _is_nameless(sample):
    return any(frame["module"] is None and frame["kind"] == "user" for frame in sample["frames"])


def _is_whole(sample):
    return _is_nameless(sample) or any(frame["function"] in ROOTS for frame in sample["frames"])


def _told(ledger):
    return sum(ledger[key] for key in ("unread", "unread_descriptors", "unread_processes", "unread_refused"))


def _judge(intervals, nr_processes):
    """What the run says of the crowd, up to the interval in which the last of them was seen."""
    facts = dict.fromkeys(("whole_s", "unread", "unlisted", "lost", "silent", "unbalanced"), 0)
    seen, elapsed_s, cpu_s, drains, flip_s, drain_s = set(), 0, 0, 0, 0, 0
    for one in intervals:
        ledger, ours = one["ledger"], [sample for sample in one["samples"] if sample["comm"] == "crowd"]
        elapsed_s += one["duration_s"]
        cpu_s += one["cost"]["user_s"] + one["cost"]["system_s"]
        if len(seen) < SEEN * nr_processes:
            facts.update(seen_s=elapsed_s, cpu_s=cpu_s, seen_mb=one["cost"]["resident_bytes"] / 1e6)
        seen.update(sample["pid"] for sample in ours)
        if _count(ours, _is_whole) < 0.98 * _count(ours, bool):
            facts["whole_s"] = elapsed_s
        drains += ledger["drains"]
        flip_s += ledger["flip_s"]
        drain_s += one["cost"]["drain_s"]
        facts["unread"] += _told(ledger)
        facts["unlisted"] += ledger["processes_unlisted"]
        facts["lost"] += ledger["lost"]
        facts["silent"] += max(0, _count(ours, _is_nameless) - _told(ledger))
        facts["unbalanced"] += not ledger["balanced"]
    if len(seen) < SEEN * nr_processes:
        raise process.Failed(f"{len(seen)} of {nr_processes} processes were seen")
    facts["unseen"] = nr_processes - len(seen)
    return facts | {"drain_ms": 1e3 * drain_s / drains, "flip_us": 1e6 * flip_s / drains}


def measure(nr_processes):
    with crowd(nr_processes) as target, process.time_limit(600):
        round_s = _round_s(target, nr_processes)
        begin = process.run([tools.TOPSTACKS, "-a", "-F", HZ, "-i", 0.1, "--once", "--json"])
        usage = process.run([tools.TOPSTACKS, "-a", "-F", HZ, "-i", 1, "-d", 4 * round_s + 2, "--json"])
    facts = _judge([json.loads(line) for line in usage.stdout.splitlines()], nr_processes)
    return facts | {
        "begin_cpu_s": begin.cpu_s,
        "begin_s": begin.wall_s,
        "round_s": round_s,
        "peak_mb": usage.peak_bytes / 1e6,
        "map_mb": usage.map_bytes / 1e6,
    }
