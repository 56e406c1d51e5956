# SPDX-License-Identifier: GPL-2.0-only
"""Somebody else's work, as a machine that runs other jobs has it: CPU and memory, on and off.

One process for each CPU. Each works for a random time of up to two seconds, computing or copying
more memory than caches hold, and rests for another.
"""

import contextlib
import os
import random
import subprocess
import sys
import time

BYTES = 64 << 20


def work_until(end, copies):
    source = bytearray(BYTES if copies else 0)
    while time.monotonic() < end:
        if copies:
            bytes(source)
        else:
            sum(range(10000))


def disturb(seed):
    draw = random.Random(seed)
    launcher = os.getppid()
    while os.getppid() == launcher:  # nobody stops us if it is killed
        work_until(time.monotonic() + draw.uniform(0.1, 2), draw.random() < 0.5)
        time.sleep(draw.uniform(0.1, 2))


@contextlib.contextmanager
def around():
    """There is such work as long as this is entered."""
    started = [
        subprocess.Popen([sys.executable, os.path.abspath(__file__), str(seed)])
        for seed in range(os.cpu_count())
    ]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


if __name__ == "__main__":
    disturb(int(sys.argv[1]))
