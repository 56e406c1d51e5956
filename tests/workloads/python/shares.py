# SPDX-License-Identifier: GPL-2.0-only
"""
shares.py SECONDS: uses so much CPU time in functions that are drawn at random, the same in every run. Samples itself
meanwhile, by SIGPROF, and tells how often which functions were on the stack, how many samples there were, and the CPU
time of each function that was drawn, in ns.
"""

import collections
import functools
import random
import re
import signal
import sys
import time

import truth

PERIOD_S = 0.002
WEIGHTS = {"plain": 1, "by_key": 2, "by_pattern": 3, "by_generator": 4, "recursive": 5, "by_method": 6, "by_reduction": 7}

counts = collections.Counter()
spent_ns = collections.Counter()
nr_samples = 0


def on_prof(_signal, frame):
    global nr_samples
    nr_samples += 1
    counts.update({name for name, _ in truth.chain_of(frame)})


def plain(seconds):
    truth.spin(seconds)


def key_of(seconds):
    truth.spin(seconds)
    return 1


def by_key(seconds):
    sorted([seconds], key=key_of)


def by_pattern(seconds):
    re.sub("x", lambda match: str(truth.spin(seconds)), "x")


def produce(seconds):
    for _ in range(4):
        truth.spin(seconds / 4)
        yield 1


def by_generator(seconds):
    sum(produce(seconds))


def recursive(seconds, depth=15):
    if depth:
        recursive(seconds, depth - 1)
    else:
        truth.spin(seconds)


class Work:
    def __init__(self, seconds):
        self.seconds = seconds

    @property
    def done(self):
        truth.spin(self.seconds)
        return True


def by_method(seconds):
    return Work(seconds).done


def by_reduction(seconds):
    functools.reduce(lambda total, part: total + truth.spin(part), [seconds / 2] * 2, 0)


def draw(seconds):
    drawn = random.Random(4711)
    functions = [globals()[name] for name in WEIGHTS]
    end = time.process_time() + seconds
    while time.process_time() < end:
        function = drawn.choices(functions, list(WEIGHTS.values()))[0]
        start = time.thread_time_ns()
        function(drawn.uniform(0.002, 0.006))
        spent_ns[function.__name__] += time.thread_time_ns() - start


def main():
    seconds = float(sys.argv[1])
    signal.alarm(125)
    signal.signal(signal.SIGPROF, on_prof)
    signal.setitimer(signal.ITIMER_PROF, PERIOD_S, PERIOD_S)
    draw(seconds)
    signal.setitimer(signal.ITIMER_PROF, 0)
    truth.tell(counts=counts, samples=counts["draw"], functions_ns=spent_ns)


main()
