# SPDX-License-Identifier: GPL-2.0-only
"""short.py: lives for some 40 ms, most of it in work()."""


def work():
    total = 0
    for i in range(1000000):
        total += i
    return total


def main():
    work()


main()
