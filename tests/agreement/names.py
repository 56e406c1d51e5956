#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
names.py TOPSTACKS SECONDS PID...: samples processes and holds the name of each address in a file
against nm (symbols that contain it, with its debug file's), addr2line and eu-addr2line (the
outermost function), and against `perf script`, which samples at the same time, for the addresses
that both have met.

Prints a table by program, and of every disagreement its class and an example. Ends with 1 if there
is one of no known class.
"""

import bisect
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile


def run(command, text=""):
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False).stdout


def debug_file(build_id):
    path = f"/usr/lib/debug/.build-id/{(build_id or '??')[:2]}/{(build_id or '??')[2:]}.debug"
    return path if os.path.exists(path) else None


class Symbols:
    """What nm says of a file and of its debug file."""

    def __init__(self, path, build_id):
        self.sized, self.labels = [], []
        files = [["nm", "-S", path], ["nm", "-S", "-D", path]]
        if debug_file(build_id):
            files.append(["nm", "-S", debug_file(build_id)])
        for command in files:
            for line in run(command).splitlines():
                row = line.split()
                if len(row) == 4 and row[2] in "tTwWiuV":
                    start = int(row[0], 16)
                    self.sized.append((start, start + int(row[1], 16), row[3].split("@")[0]))
                elif len(row) == 3 and row[1] in "tTwW":
                    self.labels.append((int(row[0], 16), row[2].split("@")[0]))
        self.sized.sort()
        self.labels.sort()
        self.longest = max((end - start for start, end, _ in self.sized), default=0)

    def containing(self, address):
        """All names of the innermost symbols, whichever start last."""
        found, last = set(), None
        for i in range(bisect.bisect_right(self.sized, (address, 1 << 64, "")) - 1, -1, -1):
            start, end, name = self.sized[i]
            if start + self.longest < address or (last is not None and start < last):
                break
            if start <= address < end:
                found.add(name)
                last = start
        return found

    def label(self, address):
        i = bisect.bisect_right(self.labels, (address, "\x7f")) - 1
        return {name for start, name in self.labels if start == self.labels[i][0]} if i >= 0 else set()


def classify(ours, theirs, address, symbols):
    """None: they agree."""
    containing = symbols.containing(address)
    theirs = theirs and re.sub(r"@(?!plt).*", "", theirs)
    if ours == theirs:
        return None
    if ours and theirs and {ours, theirs} <= containing:
        return "alias: another name of the same symbol"
    if ours and not theirs:
        return "theirs: no name"
    if not ours:
        return "OURS: no name" if theirs in containing else "theirs: a symbol that ends before"
    if ours in containing and theirs not in containing:
        if ours.startswith(theirs + "."):
            return "theirs: as in the source, without .part, .cold and such"
        return "theirs: not a symbol that contains it (as in the source, or one that ends before)"
    if ours in symbols.label(address):
        return "ours: a label without a size"
    if ours.endswith("@plt"):
        return "ours: a stub named by what it calls"
    return "OURS: not a symbol that contains it"


def sampled(topstacks, pid, seconds, folder):
    """{(path, build ID): {address: name}}"""
    file = f"{folder}/names.pb.gz"
    run([topstacks, "record", "-q", "-U", "--no-demangle", "--no-lines", "--no-children", "-F", "999", "-d", seconds,
         "-p", pid, "-o", file])
    profile = json.loads(run([topstacks, "report", "--format=json", file]))
    names = collections.defaultdict(dict)
    for sample in profile["samples"]:
        for i, frame in enumerate(profile["frames"][j] for j in sample["frames"]):
            if frame["kind"] == "user" and frame["path"] and os.path.exists(frame["path"]):
                names[frame["path"], frame["build_id"]][frame["address"] - (i > 0)] = frame["function"]
    return names


def of_perf(pid, data, paths):
    """{path: {address: name}}: instruction pointers, through the mappings of the process."""
    names = collections.defaultdict(dict)
    maps, segments = [], {}
    for line in open(f"/proc/{pid}/maps", encoding="utf-8"):
        row = line.split()
        if len(row) == 6 and row[5] in paths:
            start, end = (int(word, 16) for word in row[0].split("-"))
            maps.append((start, end, int(row[2], 16), row[5]))
    for path in paths:
        segments[path] = [(int(row[1], 16), int(row[2], 16), int(row[4], 16)) for row in
                          (line.split() for line in run(["readelf", "-lW", path]).splitlines())
                          if row[:1] == ["LOAD"]]
    for line in run(["perf", "script", "-i", data, "--no-demangle", "-F", "ip,sym"]).splitlines():
        row = line.split()
        if not row or not re.fullmatch(r"[0-9a-f]+", row[0]):
            continue
        ip = int(row[0], 16)
        for start, end, offset, path in maps:
            if start <= ip < end:
                for at, virtual, size in segments[path]:
                    if at <= ip - start + offset < at + size:
                        names[path][ip - start + offset - at + virtual] = None if row[1] == "[unknown]" else row[1]
    return names


def of_addr2line(tool, path, addresses):
    names, here = {}, None
    text = "".join(f"{address:#x}\n" for address in addresses)
    lines = run([tool, "-a", "-i", "-f", "-e", path], text).splitlines()
    for i, line in enumerate(lines):
        if re.fullmatch(r"0x[0-9a-f]+", line):
            here, first = int(line, 16), i + 1
        elif here is not None and (i - first) % 2 == 0:
            names[here] = None if line.startswith("??") else re.sub(r" inlined at .*", "", line)
    return names


def compare(topstacks, seconds, pid, folder):
    data = f"{folder}/perf.data"
    perf = None
    if shutil.which("perf"):
        perf = subprocess.Popen(["perf", "record", "-q", "-F", "997", "-e", "cpu-clock:u", "-p", pid, "-o", data, "--",
                                 "sleep", seconds], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ours = sampled(topstacks, pid, seconds, folder)
    theirs_perf = {}
    if perf:
        perf.wait()
        theirs_perf = of_perf(pid, data, {path for path, _ in ours})
    counts, classes = collections.Counter(), {}
    for (path, build_id), names in ours.items():
        symbols = Symbols(path, build_id)
        source = debug_file(build_id) or path
        others = {"addr2line": of_addr2line("addr2line", source, names),
                  "eu-addr2line": of_addr2line("eu-addr2line", source, names),
                  "perf": theirs_perf.get(path, {})}
        for address, name in names.items():
            counts["addresses"] += 1
            counts["named"] += name is not None
            containing = symbols.containing(address)
            others["nm"] = {address: name if name in containing else min(containing, default=None)}
            for tool, said in others.items():
                if tool == "perf" and address not in said:
                    continue
                why = classify(name, said.get(address), address, symbols)
                counts[tool, "asked"] += 1
                counts[tool] += why is None
                if why:
                    example = f"{os.path.basename(path)}+{address:#x}: {name}, {said.get(address)}"
                    classes.setdefault((tool, why), [0, example])[0] += 1
    comm = open(f"/proc/{pid}/comm", encoding="utf-8").read().strip()
    print(f"{comm:16} {counts['addresses']:6} addresses, {counts['named']:6} named; the same:  " +
          "  ".join(f"{tool} {counts[tool]}/{counts[tool, 'asked']}"
                    for tool in ("nm", "addr2line", "eu-addr2line", "perf")))
    for (tool, why), (count, example) in sorted(classes.items()):
        print(f"    {count:6}  {tool}: {why}; {example}"[:220])
    return sum(count for (_, why), (count, _) in classes.items() if why.startswith("OURS"))


def main():
    topstacks, seconds, *pids = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(1 if sum(compare(topstacks, seconds, pid, folder) for pid in pids) else 0)


main()
