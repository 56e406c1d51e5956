# SPDX-License-Identifier: GPL-2.0-only
"""
What the workloads share. They run on CPython 3.8 to 3.14, print "ready" when they do what they are for, and know
which functions they are in: a chain is a list of [function, file's base name], innermost first. A workload ends by
itself after the seconds that its first argument says, and at SIGTERM, upon which it tells what it knows.
"""

import json
import os
import signal
import sys
import time

stopped = False


def on_term(_signal, _frame):
    global stopped
    stopped = True


def begin():
    """Returns the time by time.monotonic() at which the workload should end."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    signal.alarm(125)  # ends what got stuck
    signal.signal(signal.SIGTERM, on_term)
    return time.monotonic() + min(seconds, 120)


def after(seconds):
    return time.monotonic() + seconds


def past(end):
    return stopped or time.monotonic() >= end


def ready():
    print("ready", flush=True)


def tell(**values):
    print(json.dumps(values), flush=True)


def name_of(code):
    """As it is known to the interpreter: with its class from 3.11 on."""
    return getattr(code, "co_qualname", code.co_name)


def chain_of(frame):
    chain = []
    while frame:
        chain.append([name_of(frame.f_code), os.path.basename(frame.f_code.co_filename)])
        frame = frame.f_back
    return chain


def chain():
    """Of whoever calls."""
    return chain_of(sys._getframe(1))


def spin(seconds):
    """Uses so much of the thread's CPU time."""
    total = 0
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        for i in range(300):
            total += i
    return total
