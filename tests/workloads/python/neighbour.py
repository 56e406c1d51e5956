# SPDX-License-Identifier: GPL-2.0-only
"""
neighbour.py SECONDS: a function whose file has a short name, behind which in memory lies another string, and which
changes that one's count of references all the time.
"""

import sys

import truth

# Of one size, so that the allocator has many of them side by side.
NAMES = ["n{:03}".format(number) for number in range(4000)]
SOURCE = """
def hold_on(held, neighbour):
    for _ in range(2000):
        held.append(neighbour)
    if len(held) > 2000000:
        held.clear()
"""


def find_pair():
    places = {id(name): name for name in NAMES}
    size = (sys.getsizeof(NAMES[0]) + 15) // 16 * 16
    for name in NAMES:
        if id(name) + size in places:
            return name, places[id(name) + size]
    raise SystemExit("no two of the names lie side by side")


def main():
    end = truth.begin()
    name, neighbour = find_pair()
    functions = {}
    exec(compile(SOURCE, name, "exec"), functions)
    held = []
    truth.ready()
    while not truth.past(end):
        functions["hold_on"](held, neighbour)
    truth.tell(file=name)


main()
