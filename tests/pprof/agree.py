#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""agree.py TOPSTACKS FILE...: do we read what `go tool pprof` reads?

Sample by sample (-raw), for every sample type that we show, with names of functions, files and
lines, inlined ones included, and labels; and function by function (-top). Ends with 1 at the first
difference.
"""

import collections
import csv
import io
import json
import re
import subprocess
import sys


def run(*command):
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode(errors="surrogateescape")


def go_pprof(file, *options):
    return run("go", "tool", "pprof", "-symbolize=none", *options, file)


SAMPLE = re.compile(r"^((?:\s+-?\d+)+): ([\d ]*)$")
LABEL = re.compile(r"(\w+):\[(.*?)\](?= \w+:\[|\s*$)")
LOCATION = re.compile(r"^ *(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(?:\[F\] )?(.*)$")
# Copies and parts that compilers make of a function.
KINDS = r"(isra|part|constprop|cold|clone|simdclone|lto_priv|localalias|llvm|specialized|__uniq)"
PART = re.compile(rf"(( \[clone | \()?\.({KINDS}\.\d+|cold|localalias|cfi_jt|cfi)[\])]?)+$")  # of a function
# A file's path may have blanks, and so may a function's name: a path begins with a slash.
LINE = re.compile(r"^(.*?) (/.*?|\S*):(\d+) s=\d+(?:\(.*\))?$")


def parse_line(text):
    if text in ("", "??"):
        return (None, None, 0)
    name, file, line = LINE.match(text).groups()
    return (name, file or None, int(line))


def read_raw(text):
    """(types, samples): a sample is its values, its location ids and its labels."""
    samples, locations, types, part = [], {}, None, None
    for line in text.splitlines():
        if line in ("Samples:", "Locations", "Mappings"):
            part = line
        elif part == "Samples:" and types is None:
            types = [word.replace("[dflt]", "").split("/")[0] for word in line.split()]
        elif part == "Samples:" and SAMPLE.match(line):
            values, ids = SAMPLE.match(line).groups()
            samples.append(([int(v) for v in values.split()], [int(i) for i in ids.split()], {}))
        elif part == "Samples:":
            samples[-1][2].update(LABEL.findall(line))
        elif part == "Locations":
            found = LOCATION.match(line)
            if found:
                last = locations[int(found[1])] = [parse_line(found[2])]
            else:
                last.append(parse_line(line.strip()))
    return types, [(v, tuple(f for i in ids for f in locations[i]), l) for v, ids, l in samples]


def by_stack_go(samples, index):
    sums = collections.Counter()
    for values, stack, labels in samples:
        owner = (labels.get("comm", ""), labels.get("pid", "0"), labels.get("thread", "0"))
        sums[owner, stack] += values[index]
    return {key: value for key, value in sums.items() if value}


def name_of(frame):
    """As pprof has it, which knows no function without a name."""
    if frame["function"] is None and frame["start"] is not None:
        return f"{frame['module']}@0x{frame['start']:x}"
    return frame["function"]


def by_stack_ours(profile, which):
    frames = [(name_of(f), f["file"], f["line"]) for f in profile["frames"]]
    sums = collections.Counter()
    for sample in profile["samples"]:
        owner = (sample["comm"], str(sample["pid"]), str(sample["tid"]))
        sums[owner, tuple(frames[i] for i in sample["frames"])] += sample[which]
    return {key: value for key, value in sums.items() if value}


def expect_equal(what, ours, go):
    if ours == go:
        return
    print(f"{what}: {len(ours)} of ours, {len(go)} of go's")
    for key in list(dict.fromkeys([*ours, *go])):
        if ours.get(key) != go.get(key):
            print(f"  ours {ours.get(key)}, go {go.get(key)}: {key}")
            break
    sys.exit(1)


def top_of_go(file, sample_type):
    """Flat values by name; rows of one name (several files, parts of a function) add up."""
    text = go_pprof(file, "-top", f"-sample_index={sample_type}", "-nodecount=1000000",
                    "-nodefraction=0", "-edgefraction=0", "-unit=minimum")
    rows = {}
    for line in text[text.index("flat%") :].splitlines()[1:]:
        flat, _, _, _, _, name = line.split(None, 5)
        name = name.removesuffix(" (inline)").removesuffix(" (partial-inline)")
        rows.setdefault(PART.sub("", name), []).append(flat)
    return rows


def check_top(topstacks, file, sample_type):
    text = run(topstacks, "report", "--format=csv", f"--sample-type={sample_type}", file)
    ours = collections.Counter()
    rows = list(csv.reader(io.StringIO(text)))
    for function, _, _, own, *_ in rows[1:]:
        ours[function] += int(own)  # of all modules that have such a function
    compared = 0
    for name, flats in top_of_go(file, sample_type).items():
        if name in ours and all(flat.isdigit() for flat in flats):  # not rounded, as "1.2MB" is
            expect_equal(f"{file}: -top, {sample_type}, {name}", {name: ours[name]},
                         {name: sum(map(int, flats))})
            compared += 1
    return compared


def main():
    topstacks, *files = sys.argv[1:]
    for file in files:
        types, samples = read_raw(go_pprof(file, "-raw"))
        for index, sample_type in enumerate(types):
            profile = json.loads(run(topstacks, "report", "--format=json",
                                     f"--sample-type={sample_type}", file))
            shown = profile["values"]["shown"]
            if profile["values"][shown]["type"] != sample_type:
                sys.exit(f"{file}: shows {profile['values'][shown]}, not {sample_type}")
            go = by_stack_go(samples, index)
            expect_equal(f"{file}: {sample_type}", by_stack_ours(profile, shown), go)
            compared = check_top(topstacks, file, sample_type)
            print(f"{file}: {sample_type}: {len(go)} stacks, sum {sum(go.values())}, "
                  f"{compared} functions: equal")


main()
