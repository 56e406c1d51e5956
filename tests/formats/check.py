#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check.py TOPSTACKS FILE SCHEMA: do speedscope's and Firefox's formats say what the file says?

speedscope: against its own JSON schema (SCHEMA), then stack by stack. Firefox's profiler publishes no
schema and no package: what is checked is what its documentation of the processed profile says, that
columns have the length of their table and every index is in its table; then stack by stack.
"""

import collections
import csv
import io
import json
import subprocess
import sys

import jsonschema


def report(topstacks, file, *options):
    return subprocess.run([topstacks, "report", *options, file], check=True,
                          capture_output=True).stdout.decode()


def truth(topstacks, file):
    """{(comm, names from the root): count}; names as every output has them; "all" is who has none."""
    profile = json.loads(report(topstacks, file, "--format=json"))
    names = []
    for frame in profile["frames"]:
        if frame["function"] is not None:
            names.append(frame["function"])
        elif frame["kind"] == "jit":
            names.append(frame["module"])
        elif frame["start"] is not None:
            names.append(f"{frame['module']}@0x{frame['start']:x}")
        elif frame["module"] is not None:
            names.append(f"{frame['module']}+0x{frame['address']:x}")
        else:
            names.append("[unknown]")
    stacks = collections.Counter()
    for sample in profile["samples"]:
        stacks[sample["comm"] or "all", tuple(names[i] for i in reversed(sample["frames"]))] += sample["count"]
    return stacks


def of_speedscope(topstacks, file, schema):
    data = json.loads(report(topstacks, file, "--format=speedscope"))
    jsonschema.validate(data, json.load(open(schema, encoding="utf-8")))
    names = [frame["name"] for frame in data["shared"]["frames"]]
    stacks = collections.Counter()
    for profile in data["profiles"]:
        assert profile["endValue"] == sum(profile["weights"]), profile["name"]
        assert len(profile["samples"]) == len(profile["weights"]), profile["name"]
        for stack, weight in zip(profile["samples"], profile["weights"]):
            stacks[profile["name"], tuple(names[i] for i in stack)] += weight
    return stacks


def check_table(name, table):
    for column, values in table.items():
        if isinstance(values, list):
            assert len(values) == table["length"], (name, column)


def check_indexes(values, table, least=0):
    for value in values:
        assert value is None or least <= value < table["length"], value


def of_firefox(topstacks, file):
    data = json.loads(report(topstacks, file, "--format=firefox"))
    assert data["meta"]["preprocessedProfileVersion"] == 48 and data["meta"]["symbolicated"] is True
    stacks = collections.Counter()
    for thread in data["threads"]:
        strings = {"length": len(thread["stringArray"])}
        for name in ("frameTable", "funcTable", "stackTable", "resourceTable", "samples", "markers",
                     "nativeSymbols"):
            check_table(name, thread[name])
        check_indexes(thread["samples"]["stack"], thread["stackTable"])
        check_indexes(thread["stackTable"]["frame"], thread["frameTable"])
        check_indexes(thread["frameTable"]["func"], thread["funcTable"])
        check_indexes(thread["funcTable"]["name"], strings)
        check_indexes(thread["funcTable"]["fileName"], strings)
        check_indexes(thread["funcTable"]["resource"], thread["resourceTable"], least=-1)
        check_indexes(thread["resourceTable"]["name"], strings)
        check_indexes(thread["frameTable"]["category"], {"length": len(data["meta"]["categories"])})
        for i, prefix in enumerate(thread["stackTable"]["prefix"]):
            assert prefix is None or prefix < i, "a stack before its prefix"
        assert thread["samples"]["time"] == sorted(thread["samples"]["time"])
        for stack, weight in zip(thread["samples"]["stack"], thread["samples"]["weight"]):
            names = []
            while stack is not None:
                func = thread["frameTable"]["func"][thread["stackTable"]["frame"][stack]]
                names.append(thread["stringArray"][thread["funcTable"]["name"][func]])
                stack = thread["stackTable"]["prefix"][stack]
            stacks[thread["name"], tuple(reversed(names))] += weight
    return stacks


def of_folded(topstacks, file):
    """Only its sum by leaf: names are escaped there."""
    lines = report(topstacks, file, "--format=folded").splitlines()
    return sum(int(line.rsplit(" ", 1)[1]) for line in lines)


def main():
    topstacks, file, schema = sys.argv[1:]
    expected = truth(topstacks, file)
    total = sum(expected.values())
    assert total > 100, total
    assert of_speedscope(topstacks, file, schema) == expected, "speedscope"
    assert of_firefox(topstacks, file) == expected, "firefox"
    assert of_folded(topstacks, file) == total, "folded"
    rows = list(csv.DictReader(io.StringIO(report(topstacks, file, "--format=csv"))))
    bare = sum(count for (_, names), count in expected.items() if not names)
    assert sum(int(row["self"]) for row in rows) == total - bare, "csv"
    print(f"{total} samples, {len(expected)} stacks: equal")


main()
