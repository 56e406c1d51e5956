# SPDX-License-Identifier: GPL-2.0-only
"""
reused.py SECONDS: code of one name in eight files, one after the other, each where the one before was: modules, and a
method of a class. Half of the time is each kind's, and all files have the same part of it.
"""

import gc
import sys

import truth

FILES = ["one", "two", "ten", "six", "sea", "sky", "sun", "ice"]
MODULE = "total = 0\nwhile not past(end):\n    for i in range(20000):\n        total += i * 3 % 7\n"
METHOD = (
    "class Task:\n    def run(self, end):\n        total = 0\n        while not past(end):\n"
    "            for i in range(20000):\n                total += i * 3 % 7\n"
)


def run_module(name, seconds):
    exec(compile(MODULE, "/of/text/" + name + ".py", "exec"), {"past": truth.past, "end": truth.after(seconds)})


def run_method(name, seconds):
    made = {"past": truth.past}
    exec(compile(METHOD, "/of/text/" + name + ".py", "exec"), made)
    made["Task"]().run(truth.after(seconds))


each = float(sys.argv[1]) / len(FILES) / 2
truth.ready()
for run in run_module, run_method:
    for file in FILES:
        run(file, each)
        gc.collect()
