# SPDX-License-Identifier: GPL-2.0-only
"""interpreted.py SECONDS SHAPE [CPROFILE]: work in Python, of a shape, and in the end how often it was done in a
second of CPU time, as JSON. With a third word it runs under cProfile.

deep-N: a loop below a function that calls itself N times. chain-N: below N functions, each of another file than its
caller, of five in all. cold-N: 400 such chains in turn, too many for a cache. mixed: functions that are called by the interpreter's own code, and by its libraries.
"""

import asyncio
import cProfile
import functools
import itertools
import json
import re
import sys
import time


def loop():
    total = 0
    for i in range(1000):
        total += i * 3 % 7
    return total


def descend(levels):
    return descend(levels - 1) if levels else loop()


def chain(length):
    """Calls a chain of so many functions, each of which is another."""
    links, files = [loop], [f"/srv/app/part_{i}.py" for i in range(5)]
    for i in range(length):
        names = {"callee": links[-1]}
        exec(compile(f"def link_{i}():\n    return callee()\n", files[i % 5], "exec"), names)
        links.append(names[f"link_{i}"])
    return links[-1]


def call_next(chains):
    next(chains)()


def generate(n):
    for i in range(n):
        yield loop() + i


class Shape:
    def __init__(self, size):
        self.size = size

    def __lt__(self, other):
        return (self.size, loop()) < (other.size, 0)


async def wait_for(n):
    return sum([await asyncio.sleep(0, loop()) for _ in range(n)])


def catch(levels):
    try:
        return catch(levels - 1) if levels else {}["missing"]
    except KeyError:
        if levels < 3:
            raise
        return loop()


def mix():
    sorted(Shape(i % 5) for i in range(6))
    re.sub("[a-c]", lambda match: str(loop()), "a-b-c")
    json.loads('[{"a": 1}, {"b": 2}]', object_hook=lambda value: (loop(), value))
    functools.reduce(lambda left, right: left + loop(), generate(4))
    asyncio.run(wait_for(3))
    catch(6)
    descend(12)


def main(seconds, shape):
    kind, _, number = shape.partition("-")
    if kind == "mixed":
        work = mix
    elif kind == "chain":
        work = chain(int(number))
    elif kind == "cold":
        work = functools.partial(call_next, itertools.cycle([chain(int(number)) for _ in range(400)]))
    else:
        work = functools.partial(descend, int(number))
    print("ready", flush=True)
    end, done = time.monotonic() + seconds, 0
    before = time.process_time()
    while time.monotonic() < end:
        work()
        done += 1
    print(json.dumps({"work_per_s": done / (time.process_time() - before)}), flush=True)


if len(sys.argv) > 3:
    cProfile.run("main(float(sys.argv[1]), sys.argv[2])", "/dev/null")
else:
    main(float(sys.argv[1]), sys.argv[2])
