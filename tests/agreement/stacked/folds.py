# SPDX-License-Identifier: GPL-2.0-only
# Calls, generators, callbacks out of C, exceptions.
def leaf(n):
    return sum(i * n for i in range(30))


def descend(depth, n):
    return descend(depth - 1, n) + 1 if depth else leaf(n)


def fail(n):
    try:
        raise ValueError(n)
    except ValueError as error:
        return descend(2, error.args[0])


n = 0
while True:
    n += 1
    numbers = sorted(range(10), key=lambda i: leaf(i) % 7)
    n += descend(n % 9, len(numbers)) % 2 + fail(n) % 2
