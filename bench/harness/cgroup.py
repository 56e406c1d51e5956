# SPDX-License-Identifier: GPL-2.0-only
"""A control group of the benchmarks' own, for events that follow a group."""

import os
import time

NAME = "topstacks-bench"


def _mount_point():
    with open("/proc/self/mounts", encoding="utf-8") as file:
        for line in file:
            _, point, kind, *_ = line.split()
            if kind == "cgroup2":
                return point
    return None


def available():
    point = _mount_point()
    return point is not None and os.access(point, os.W_OK)


def add(pid):
    """Puts a process into the group, where there can be one."""
    if available():
        path = os.path.join(_mount_point(), NAME)
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "cgroup.procs"), "w", encoding="ascii") as file:
            file.write(str(pid))


def remove():
    """Waits a moment for the last process to be gone from the group."""
    path = os.path.join(_mount_point() or "", NAME)
    deadline = time.monotonic() + 5
    while os.path.isdir(path):
        try:
            os.rmdir(path)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
