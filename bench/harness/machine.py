# SPDX-License-Identifier: GPL-2.0-only
"""What machine this is: figures mean nothing without it."""

import gzip
import os
import platform
import re


def _read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def cpu_model():
    found = re.search(r"^model name\s*: (.*)$", _read("/proc/cpuinfo"), re.M)
    return found.group(1) if found else platform.machine()


def kernel_hz():
    """CONFIG_HZ of the running kernel, or "unknown": no system call tells it."""
    try:
        with gzip.open("/proc/config.gz", "rt") as file:
            config = file.read()
    except OSError:
        config = _read(f"/boot/config-{platform.release()}")
    found = re.search(r"^CONFIG_HZ=(\d+)$", config, re.M)
    return found.group(1) if found else "unknown"


def load_average():
    return os.getloadavg()[0]


def describe():
    return (
        f"{cpu_model()}, {os.cpu_count()} CPUs, "
        f"Linux {platform.release()} {platform.machine()}, HZ {kernel_hz()}, "
        f"load average {load_average():.2f} at the start"
    )


def online_cpus():
    return sorted(os.sched_getaffinity(0))
