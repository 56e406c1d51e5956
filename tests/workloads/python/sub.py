# SPDX-License-Identifier: GPL-2.0-only
"""sub.py SECONDS: computes in an interpreter within the interpreter; says "no subinterpreters" before 3.12."""

import sys

import truth

SOURCE = """
import time

def sub_inner(end):
    total = 0
    while time.monotonic() < end:
        for i in range(20000):
            total += i * 3 % 7
    return total

def sub_outer(end):
    return sub_inner(end)

sub_outer({})
"""


def run_sub(end):
    if sys.version_info < (3, 12):
        print("no subinterpreters")
        return
    if sys.version_info < (3, 13):
        import _xxsubinterpreters as interpreters

        run = interpreters.run_string
    else:
        import _interpreters as interpreters

        run = interpreters.exec
    number = interpreters.create()
    truth.ready()
    run(number, SOURCE.format(end))


def main():
    run_sub(truth.begin())


main()
