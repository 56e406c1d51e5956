# SPDX-License-Identifier: GPL-2.0-only
"""nested.py SECONDS: all its time is in one chain of functions."""

import truth


def leaf(end):
    total = 0
    while not truth.stopped:
        for i in range(200000):
            total += i * 3 % 7
        if truth.past(end):
            break
    return total


def middle(end):
    return leaf(end) + 1


def outer(end):
    return middle(end) + 1


def main():
    end = truth.begin()
    truth.ready()
    outer(end)


main()
