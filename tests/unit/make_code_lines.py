#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
make_code_lines.py PYTHON...: tables of lines that these interpreters of CPython (3.8 or later, one of
each format at least) make for one source, and the line of each instruction as they tell it themselves:

    tests/unit/make_code_lines.py python3.8 python3.9 python3.10 python3.11 ... > tests/unit/code_lines_truth.h

Up to 3.9 the line is what dis.findlinestarts() says, later what code.co_lines() does. test_code_lines.c
compares it with ours.
"""

import subprocess
import sys

HEAD = """\
/* SPDX-License-Identifier: GPL-2.0-only */
/* make_code_lines.py makes this table: do not edit it by hand. */
#ifndef TOPSTACKS_TESTS_CODE_LINES_TRUTH_H
#define TOPSTACKS_TESTS_CODE_LINES_TRUTH_H

#include <stdint.h>

#include "topstacks/interpreter_abi.h"

static const struct code_lines_truth {
	const char *python, *code;
	enum code_lines kind;
	uint32_t first_line;
	const char *bytes; /* in hex */
	const char *runs;  /* line*instructions, in the order of the code; line 0: none */
} code_lines_truths[] = {
	/* clang-format off */"""
TAIL = """\
	/* clang-format on */
};

#endif"""

SOURCE = '''\
"""Odd shapes of code."""
import functools


def loops(items):
    total = 0
    for item in items:
        if item % 2:
            continue
        while item:
            item -= 1
            total += item
        else:
            total += 1
    return total


def calls(a, b):
    return max(
        min(a,
            b),
        sorted([
            a,
            b,
        ],
            key=lambda x: -x)[0],
        key=abs
    )


@functools.lru_cache(
    maxsize=None
)
@functools.wraps(
    calls
)
def decorated(n, default=[
    1,
    2,
]):

    return (n
            + 1)


def failures(path):
    try:
        with open(path) as file:
            try:
                return int(file.read())
            except (ValueError,
                    TypeError) as error:
                raise RuntimeError(
                    path
                ) from error
            finally:
                print(path)
    except OSError:
        pass
    finally:
        del path


def comprehensions(rows):
    return {
        key: [
            value
            for value in values
            if value
        ]
        for key, values in rows
        if key
    }, (row
        for row
        in rows)


async def awaits(sources):
    async with sources as source:
        async for one in source:
            yield await one


class Shape:
    sides = 3

    def area(self):
        def inner():
            nonlocal area
            area = self.sides
            return area
        area = 0; inner()
        return area

'''


def far_source():
    """Lines that are far from each other, forwards and backwards: each step takes more of a table."""
    lines = ["def far(a):"]
    for gap in (126, 127, 128, 129, 254, 255, 256, 257, 300, 1023, 2047, 5000):
        lines += ["    a(" + "\n" * gap + "a, a(", "a))" + "\n" * gap]
    return "\n".join(lines + ["    return a", ""])


def wide_source():
    """Much code on one line: 254, 258 and 514 bytes where an operator is one instruction without a cache."""
    lines = ["def wide(a):"]
    lines += ["    a = " + "+a" * nr for nr in (63, 64, 128)]
    return "\n".join(lines + ["    return a", ""])


def long_source():
    """More lines than a table that is copied has bytes for."""
    return "\n".join(["def long(a):"] + ["    a"] * 270 + [""])


def codes_of(code):
    yield code
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            yield from codes_of(constant)


def table_of(code):
    if sys.version_info < (3, 10):
        return "PAIRS", code.co_lnotab
    return "RANGES" if sys.version_info < (3, 11) else "LOCATIONS", code.co_linetable


def lines_of(code):
    """The line of each instruction, which has 2 bytes."""
    import dis
    lines = [0] * (len(code.co_code) // 2)
    if sys.version_info < (3, 10):
        for begin, line in dis.findlinestarts(code):
            lines[begin // 2:] = [line] * (len(lines) - begin // 2)
    else:
        for begin, end, line in code.co_lines():
            lines[begin // 2:end // 2] = [line or 0] * ((end - begin) // 2)
    return lines


def runs_of(lines):
    runs = []
    for line in lines:
        if runs and runs[-1][0] == line:
            runs[-1][1] += 1
        else:
            runs.append([line, 1])
    return ["%d*%d" % (line, nr) for line, nr in runs]


def literals(words, between=""):
    """A C string of these words, as often interrupted as its lines would be too long."""
    rows = [""]
    for word in words:
        if len(rows[-1]) + len(word) > 88:
            rows.append("")
        rows[-1] += word + between
    return "\n\t ".join('"%s"' % row for row in rows)


def tell():
    """Of the interpreter that runs this: a row for each code object."""
    sources = [SOURCE, far_source(), wide_source(), long_source(), "\n" * 70000 + "def late():\n    pass\n"]
    for source in sources:
        for code in codes_of(compile(source, "odd.py", "exec")):
            kind, table = table_of(code)
            print('\t{"%d.%d.%d", "%s", CODE_LINES_%s, %d,' % (*sys.version_info[:3], code.co_name, kind,
                                                              code.co_firstlineno))
            print("\t %s,\n\t %s}," % (literals(["%02x" % byte for byte in table]),
                                      literals(runs_of(lines_of(code)), " ")))


def main():
    if sys.argv[1:] == ["--tell"]:
        return tell()
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    told = [subprocess.run([python, "-I", __file__, "--tell"], stdout=subprocess.PIPE, check=True,
                           universal_newlines=True).stdout for python in sys.argv[1:]]
    print(HEAD)
    print("".join(told), end="")
    print(TAIL)


main()
