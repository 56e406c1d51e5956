# SPDX-License-Identifier: GPL-2.0-only
"""Distinct stacks: recorded as they come, a new one with nearly each sample at 19,999 Hz and an interval each second,
which a recording at 99 Hz would meet in hours; and in a file that has all of them, written and reported. Were it not for
the intervals, the recorder would keep half a gigabyte of stacks at most; what it sums up is told."""

import json
import os
import random
import tempfile
import threading
import time

from harness import process, tools
from harness.target import Target

TITLE = "distinct stacks"
SIZES = (2**18, 2**19, 2**20)
LEAF_US, HZ = 50, 19_999
MOST_S = 110  # the workload itself ends after two minutes

COSTS = {
    "record_cpu_s": ("CPU of the recorder, s", "{:.1f}"),
    "record_peak_mb": ("its peak memory, MB", "{:.0f}"),
    "record_map_mb": ("its BPF maps, MB", "{:.0f}"),
    "recorded_mb": ("its file, MB", "{:.2f}"),
    "recorded_report_s": ("CPU of a report of that, s", "{:.2f}"),
    "write_s": ("CPU to read text and write a file of all, s", "{:.2f}"),
    "write_peak_mb": ("its peak memory, MB", "{:.0f}"),
    "file_mb": ("the file of all, MB", "{:.1f}"),
    "report_s": ("CPU of a report of all, s", "{:.2f}"),
    "report_peak_mb": ("peak memory of that, MB", "{:.0f}"),
}
TOLD = {
    "samples": ("samples recorded", "{:,.0f}"),
    "kept": ("stacks in the recorder's file", "{:,.0f}"),
    "summed_up": ("samples that it summed up without frames", "{:,.0f}"),
}
NONE_OF = {
    "lost": "more lost than one sample in 10,000",
    "missing": "sample without its stack",
    "unbalanced": "ledger that does not balance",
}


def _report(path, *options):
    return process.run([tools.TOPSTACKS, "report", *options, path])


def _end_after(target, cpu_s):
    """Ends it when it has had so much of a CPU, of which other work on this machine may take a part; or at last."""
    end = time.monotonic() + MOST_S
    while process.cpu_so_far_s(target.pid) < cpu_s and time.monotonic() < end:
        time.sleep(0.1)
    target.truth()


def _record(nr_stacks, path):
    with Target("stacks", nr_stacks.bit_length() - 1, 1000, LEAF_US) as target:
        ending = threading.Thread(target=_end_after, args=(target, nr_stacks * LEAF_US * 1.15e-6))
        ending.start()
        usage = process.run([tools.TOPSTACKS, "record", "-q", "-p", target.pid, "-F", HZ, "--intervals", 1, "-o", path])
        ending.join()
        return usage


def _facts(path):
    """What the recording says of itself."""
    recording = json.loads(_report(path, "--format=json").stdout)
    ledger, frames, samples = (recording[key] for key in ("ledger", "frames", "samples"))
    others = {number for number, frame in enumerate(frames) if frame["function"] == "[other stacks]"}
    return {
        "samples": ledger["counted"],
        "kept": len(samples),
        "summed_up": sum(one["count"] for one in samples if not others.isdisjoint(one["frames"])),
        "lost": ledger["lost"] > ledger["counted"] / 10_000,
        "missing": ledger["stacks"]["missing"],
        "unbalanced": not ledger["balanced"] or sum(one["count"] for one in samples) != ledger["counted"],
    }


def _write_folded(nr_stacks, path):
    """Paths of 20 levels, each left or right, as the workload has them."""
    draw = random.Random(1)
    with open(path, "w", encoding="ascii") as file:
        for number in range(nr_stacks):
            names = (f"{'LR'[number >> level & 1]}{level}" for level in range(20))
            file.write(f"stacks;main;root;{';'.join(names)};leaf {draw.randint(1, 1000)}\n")


def measure(nr_stacks):
    with tempfile.TemporaryDirectory() as directory, process.time_limit(600):
        recorded, folded, whole = (os.path.join(directory, name) for name in ("recorded.pb.gz", "folded", "whole.pb.gz"))
        record = _record(nr_stacks, recorded)
        of_recorded = _report(recorded, "--by", "function")
        _write_folded(nr_stacks, folded)
        write = _report(folded, "--format=pprof", "-o", whole)
        report = _report(whole, "--by", "function")
        return _facts(recorded) | {
            "record_cpu_s": record.cpu_s,
            "record_peak_mb": record.peak_bytes / 1e6,
            "record_map_mb": record.map_bytes / 1e6,
            "recorded_mb": os.path.getsize(recorded) / 1e6,
            "recorded_report_s": of_recorded.cpu_s,
            "write_s": write.cpu_s,
            "write_peak_mb": write.peak_bytes / 1e6,
            "file_mb": os.path.getsize(whole) / 1e6,
            "report_s": report.cpu_s,
            "report_peak_mb": report.peak_bytes / 1e6,
        }
