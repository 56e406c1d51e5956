#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
lines.py [--every N] PLACES FILE...: what topstacks says of each (N-th) instruction of a file
(functions inlined there, files, lines) against addr2line -i of binutils, eu-addr2line -i and, where it is installed,
llvm-symbolizer.

They do not agree with each other; docs/symbols.md says why. An address counts as agreed if one of
them says what we say. Ends with 1 if nobody does anywhere, and shows where.
"""

import argparse
import bisect
import collections
import os
import re
import shutil
import subprocess
import sys

TOOLS = {
    "addr2line": ["addr2line", "-a", "-i", "-f", "-e"],
    "eu-addr2line": ["eu-addr2line", "-a", "-i", "-f", "-e"],
    "llvm-symbolizer": ["llvm-symbolizer", "-a", "-i", "-f", "--output-style=GNU", "--no-demangle", "-e"],
}


def run(command, text=""):
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False).stdout


def instructions(path):
    code = run(["objdump", "-d", "--no-show-raw-insn", path])
    return sorted({int(address, 16) for address in re.findall(r"^ +([0-9a-f]+):\t", code, re.M)})


def symbols(path):
    """The symbol that starts last before an address, as a function of it."""
    rows = (line.split() for line in run(["nm", "--defined-only", path]).splitlines())
    table = sorted((int(row[0], 16), row[2]) for row in rows if len(row) == 3 and row[1] in "tTwWiuV")
    starts = [start for start, _ in table]
    return lambda address: table[bisect.bisect_right(starts, address) - 1][1] if table else None


def place(function, source):
    """(function, file, line). Line 0 is none, whatever file it is said to be in."""
    match = re.match(r"(.*?):(\d+)(:\d+)?( \(discriminator \d+\))?$", source)
    if not match or match[1] == "??" or not int(match[2]):
        return (function, None, 0)
    return (function, os.path.normpath(match[1]), int(match[2]))


def known(places):
    """Without debug information symbols are named, which is not the question here."""
    return {address: here if any(line for _, _, line in here) else [] for address, here in places.items()}


def of_topstacks(places, path, text):
    found = {}
    for line in run([places, path], text).splitlines():
        if line.startswith("0x"):
            here = found.setdefault(int(line, 16), [])
        else:
            here.append(place(*line[2:].rsplit(" ", 1)))
    return known(found)


def of_tool(tool, path, text):
    """An address, then two lines for each function."""
    found, here, function = {}, None, None
    for line in run(TOOLS[tool] + [path], text).splitlines():
        if re.fullmatch(r"0x[0-9a-f]+", line):
            here = found.setdefault(int(line, 16), [])
        elif function is None and line:
            function = re.sub(r" inlined at .*", "", line)
        elif function is not None:
            here.append(place(function, line))
            function = None
    return known(found)


def by_symbol(ours, theirs, symbol):
    """Equal, but for a function that they call by the symbol of the code it is in."""
    return len(ours) == len(theirs) and all(
        a[1:] == b[1:] and (a[0] == b[0] or b[0] == symbol) for a, b in zip(ours, theirs))


def compare(places, path, step):
    addresses = instructions(path)[::step]
    text = "".join(f"{address:#x}\n" for address in addresses)
    symbol_of = symbols(path)
    ours = of_topstacks(places, path, text)
    agreed, counts = set(), collections.Counter()
    theirs = {tool: of_tool(tool, path, text) for tool in TOOLS if shutil.which(tool)}
    for tool, said in theirs.items():
        for address in addresses:
            same = ours[address] == said.get(address)
            named = not same and by_symbol(ours[address], said.get(address, []), symbol_of(address))
            counts[tool] += same
            counts[tool, "symbol"] += named
            if same or named:
                agreed.add(address)
    rows = "  ".join(f"{tool} {counts[tool]} +{counts[tool, 'symbol']}" for tool in theirs)
    alone = [address for address in addresses if address not in agreed]
    print(f"{os.path.basename(path):16} {len(addresses):8} {rows}  nobody {len(alone)}")
    for address in alone[:3]:
        print(f"  {address:#x}: {ours[address]}")
        for tool, said in theirs.items():
            print(f"    {tool}: {said.get(address)}")
    return len(alone)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("places")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    print("file         instructions; said the same, + called by the symbol of the code it is in")
    alone = sum(compare(options.places, path, options.every) for path in options.files)
    sys.exit(1 if alone else 0)


main()
