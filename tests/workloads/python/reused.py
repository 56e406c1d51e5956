# SPDX-License-Identifier: GPL-2.0-only
"""
reused.py SECONDS: from SIGUSR1 on, for so much CPU time, code of one name in eight files, one after the other, each where the one before was: modules, and a
method of a class. Half of the time is each kind's, and all files have the same part of it.
"""

import gc
import signal
import sys
import time

import truth

FILES = ["one", "two", "ten", "six", "sea", "sky", "sun", "ice"]
MODULE = "total = 0\nwhile not past(end):\n    for i in range(20000):\n        total += i * 3 % 7\n"
METHOD = (
    "class Task:\n    def run(self, end):\n        total = 0\n        while not past(end):\n"
    "            for i in range(20000):\n                total += i * 3 % 7\n"
)


def past(end):
    return time.process_time() >= end


def after(seconds):
    return time.process_time() + seconds


def run_module(name, seconds):
    exec(compile(MODULE, "/of/text/" + name + ".py", "exec"), {"past": past, "end": after(seconds)})


def run_method(name, seconds):
    made = {"past": past}
    exec(compile(METHOD, "/of/text/" + name + ".py", "exec"), made)
    made["Task"]().run(after(seconds))


each = float(sys.argv[1]) / len(FILES) / 2
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
truth.ready()
signal.sigwait({signal.SIGUSR1})
for run in run_module, run_method:
    for file in FILES:
        run(file, each)
        gc.collect()
