# SPDX-License-Identifier: GPL-2.0-only
"""
made.py SECONDS: functions made by exec(), all with other names and in files of those names, called a few times and
gone, so that their addresses are those of others. Tells at the end how many there were.
"""

import truth

# Some 100 us of CPU time.
SOURCE = """
def made_{0}(rounds):
    total = 0
    for i in range(rounds):
        total += i
    return total
"""


def make_and_call(number):
    name = "made_{}".format(number)
    namespace = {}
    exec(compile(SOURCE.format(number), "/made/of/text/{}.py".format(name), "exec"), namespace)
    for _ in range(1 + number % 3):
        namespace[name](1000)
    return id(namespace[name].__code__)


def main():
    end = truth.begin()
    number = 0
    addresses = set()
    truth.ready()
    while not truth.past(end):
        addresses.add(make_and_call(number))
        number += 1
    truth.tell(made=number, addresses=len(addresses))


main()
