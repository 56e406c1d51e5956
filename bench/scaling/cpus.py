# SPDX-License-Identifier: GPL-2.0-only
"""CPUs of an emulated machine with Debian's kernel 6.12, all of it sampled at 19 Hz while one process works. Emulated
CPUs are slow and share those of this machine: where there are more of them than of these, whoever waits for all of them
waits for their turns, so that such times are told, and no more."""

import json
import os
import re
import subprocess
import tempfile
from datetime import datetime
from statistics import median

from harness import process

TITLE = "CPUs of an emulated machine"
SIZES = (2, 8, 32)

COSTS = {
    "begin_ms": ("until sampling begins, ms", "{:.0f}"),
    "begin_cpu_ms": ("CPU of a run of 0.5 s, ms", "{:.0f}"),
    "peak_mb": ("peak memory, MB", "{:.2f}"),
    "resident_mb": ("resident memory, MB", "{:.2f}"),
    "map_mb": ("BPF maps, MB", "{:.2f}"),
    "descriptors": ("descriptors", "{:.0f}"),
}
TOLD = {
    "flip_us": ("a change of sets, us", "{:.0f}"),
    "drain_us": ("a drain, CPU us", "{:.0f}"),
}
NONE_OF = {"lost": "lost sample", "unbalanced": "ledger that does not balance"}

GUEST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guest")


def _read(directory, name):
    with open(os.path.join(directory, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def _begin_s(directory, run):
    """From before the program was started until its first interval began."""
    interval = json.loads(_read(directory, f"start{run}"))
    end = datetime.fromisoformat(interval["time"].replace("Z", "+00:00")).timestamp()
    return end - interval["duration_s"] - float(_read(directory, f"began{run}"))


def _begin_cpu_s(directory, run):
    cost = json.loads(_read(directory, f"start{run}"))["cost"]
    return cost["user_s"] + cost["system_s"]


def _kilobytes(directory, field):
    return int(re.search(rf"^{field}:\s+(\d+) kB$", _read(directory, "status"), re.M).group(1)) * 1024


def _map_bytes(directory):
    """Each map once, however many descriptors of it there are."""
    maps = re.findall(r"^memlock:\s+(\d+)\nmap_id:\s+(\d+)$", _read(directory, "fdinfo"), re.M)
    return sum({map_id: int(memlock) for memlock, map_id in maps}.values())


def measure(nr_cpus):
    with tempfile.TemporaryDirectory() as directory:
        if subprocess.run([GUEST, str(nr_cpus), directory], check=False).returncode:
            raise process.Failed(f"the emulated machine of {nr_cpus} CPUs did not end well")
        intervals = [json.loads(line) for line in _read(directory, "run").splitlines()][1:]  # the first one is the begin
        drains = sum(one["ledger"]["drains"] for one in intervals)
        return {
            "begin_ms": 1e3 * median(_begin_s(directory, run) for run in (1, 2, 3)),
            "begin_cpu_ms": 1e3 * median(_begin_cpu_s(directory, run) for run in (1, 2, 3)),
            "flip_us": 1e6 * sum(one["ledger"]["flip_s"] for one in intervals) / drains,
            "drain_us": 1e6 * sum(one["cost"]["drain_s"] for one in intervals) / drains,
            "peak_mb": _kilobytes(directory, "VmHWM") / 1e6,
            "resident_mb": _kilobytes(directory, "VmRSS") / 1e6,
            "map_mb": _map_bytes(directory) / 1e6,
            "descriptors": int(_read(directory, "descriptors")),
            "lost": sum(one["ledger"]["lost"] for one in intervals),
            "unbalanced": sum(not one["ledger"]["balanced"] for one in intervals),
        }
