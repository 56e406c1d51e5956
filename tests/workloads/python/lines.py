# SPDX-License-Identifier: GPL-2.0-only
"""
lines.py SECONDS: computes in lines that are marked, "in FUNCTION", and calls these functions from lines that are, "from
FUNCTION". Tells the numbers of these lines, by function.
"""

import truth

ROUNDS = 20000


def one_line():
    total = 0
    for i in range(ROUNDS): total += i * 3 % 7  # in one_line
    return total


def some_lines():
    rounds, total = ROUNDS, 0

    while rounds:  # in some_lines
        rounds -= 1  # in some_lines
        if rounds % 2:  # in some_lines

            total += rounds  # in some_lines
        else:
            total -= 1  # in some_lines

    return total


def expression():
    total = 0
    for i in range(ROUNDS):  # in expression
        total = (  # in expression
            # From line to line, and back.
            i * 3  # in expression
            + i % 7  # in expression
            - i // 2  # in expression
        )
    return total


def generate():
    for i in range(ROUNDS):  # in generate
        yield i * i % 7  # in generate


def take():
    total = 0
    for one in generate(): total += one  # from take
    return total


def handle():
    total = 0
    try:
        raise ValueError(total)
    except ValueError:
        for i in range(ROUNDS): total += i * 3 % 7  # in handle
    finally:
        for i in range(ROUNDS): total -= i * 3 % 7  # in handle
    return total


# Lines that are hundreds below the one before, in files of their own, and a table of lines that is long.
FAR = (
    "def far():\n    total = 0\n"
    + "\n" * 400
    + "    for i in range(20000): total += i * 3 % 7\n    return total\n"
)
LONG = (
    "def long():\n    total = 0\n"
    + "    total = total + 1\n" * 500
    + "    for i in range(20000): total += i * 3 % 7\n    return total\n"
)
exec(compile(FAR, "/of/text/far.py", "exec"))
exec(compile(LONG, "/of/text/long.py", "exec"))


def call_all():
    one_line()  # from call_all
    some_lines()  # from call_all
    expression()  # from call_all
    take()  # from call_all
    handle()  # from call_all
    far()  # from call_all
    long()  # from call_all


def main():
    end = truth.begin()
    truth.ready()
    while not truth.past(end):
        call_all()  # from main


def marked():
    lines = {"in": {"far": [403], "long": [503]}, "from": {}}
    with open(__file__, encoding="utf-8") as source:
        for number, line in enumerate(source, start=1):
            _, _, mark = line.rstrip().rpartition("  # ")
            kind, _, function = mark.partition(" ")
            if kind in lines and function.isidentifier():
                lines[kind].setdefault(function, []).append(number)
    return lines


truth.tell(lines=marked())
main()
