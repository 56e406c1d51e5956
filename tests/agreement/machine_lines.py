#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
machine_lines.py [--addresses N] [--seconds S] PLACES [FILE...]: the lines that topstacks gives to addresses, against
eu-addr2line's and gdb's: of N addresses by chance in the code of each file; of all programs and libraries of this machine
that have debug information, themselves or in a debug file. After S seconds no other file is begun, and those that
are left are counted.

An address agrees if one of the two says the same line of the same file: they do not agree with each other. Where we have
no line, gdb has none either, or debug information says line 0. Files in
machine_lines.known, with the reason, may differ. Ends with 1 if another one does, and shows where.
"""

import argparse
import collections
import fnmatch
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

PLACES_OF_FILES = ["/usr/bin", "/usr/sbin", "/usr/lib", "/usr/libexec", "/usr/local/bin", "/usr/local/lib"]
DEBUG_FILES = "/usr/lib/debug/.build-id"
KNOWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "machine_lines.known")
TOOL_SECONDS = 300
CODE = 6  # SHF_ALLOC | SHF_EXECINSTR
SHOWN = 3


# ---- files ----

class NotMeant(Exception):
    """It is no program or library of this machine's kind."""


def read_sections(path):
    """(name, type, flags, address, offset, size) of each section of a 64-bit ELF file."""
    with open(path, "rb") as file:
        head = file.read(64)
        if head[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", head, 16)[0] not in (2, 3):
            raise NotMeant
        table, = struct.unpack_from("<Q", head, 40)
        entry, count, names = struct.unpack_from("<3H", head, 58)
        file.seek(table)
        rows = file.read(entry * count)
        if entry != 64 or len(rows) != entry * count or names >= count:
            raise NotMeant
        rows = [struct.unpack_from("<IIQQQQ", rows, entry * i) for i in range(count)]
        file.seek(rows[names][4])
        text = file.read(rows[names][5])
        for row in rows:
            yield (text[row[0]:text.find(b"\0", row[0])].decode(errors="replace"),) + row[1:]


def build_id(path, sections):
    for name, _, _, _, offset, size in sections:
        if name == ".note.gnu.build-id":
            with open(path, "rb") as file:
                file.seek(offset + 16)
                return file.read(size - 16).hex()
    return ""


def has_lines(path, sections):
    if any(name in (".debug_info", ".zdebug_info") for name, *_ in sections):
        return True
    found = build_id(path, sections)
    return bool(found) and os.path.exists(f"{DEBUG_FILES}/{found[:2]}/{found[2:]}.debug")


def programs_of_machine():
    for place in PLACES_OF_FILES:
        for folder, _, names in os.walk(place):
            if folder.startswith("/usr/lib/debug"):
                continue
            yield from (os.path.join(folder, name) for name in sorted(names))


def files_with_lines(paths):
    """Each of them once, whatever its names, and its sections."""
    seen = set()
    for path in paths:
        try:
            status = os.stat(path)
            if os.path.islink(path) or not os.path.isfile(path) or (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            sections = list(read_sections(path))
        except (OSError, NotMeant, struct.error):
            continue
        if has_lines(path, sections):
            yield path, sections


def addresses_by_chance(path, sections, number):
    chance = random.Random(os.path.basename(path))
    code = [(address, size) for _, _, flags, address, _, size in sections if flags & CODE == CODE and size and address]
    if not code:
        return []
    picked = chance.choices(code, weights=[size for _, size in code], k=number)
    return sorted({address + chance.randrange(size) for address, size in picked})


# ---- what they say ----

def run(command, text):
    try:
        return subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              errors="replace", check=False, timeout=TOOL_SECONDS).stdout
    except subprocess.TimeoutExpired:
        return None


LINE_0 = ("", 0)  # the compiler says that the code is of no line


def place(source, line):
    """None: no line, be it line 0 or nothing at all."""
    return (os.path.basename(source), int(line)) if source not in ("??", "") and int(line) else None


def of_topstacks(places, path, addresses):
    said, found, address = run([places, path], "".join(f"{a:#x}\n" for a in addresses)), {}, None
    for line in (said or "").splitlines():
        if line.startswith("0x"):
            address = int(line, 16)
        elif address is not None and address not in found:
            source, number = re.match(r"  .* (.*):(\d+)$", line).groups()
            found[address] = LINE_0 if source != "??" and number == "0" else place(source, number)
    return found if said is not None else None


def of_elfutils(path, addresses):
    said = run(["eu-addr2line", "-e", path], "".join(f"{a:#x}\n" for a in addresses))
    if said is None or len(said.splitlines()) != len(addresses):
        return None
    lines = (re.match(r"(.*?):(\d+)(:\d+)?$", line) for line in said.splitlines())
    return {address: place(match[1], match[2]) if match else None for address, match in zip(addresses, lines)}


def of_gdb(path, addresses):
    commands = "set width 0\nset confirm off\n" + "".join(f"echo @{a:#x}\\n\ninfo line *{a:#x}\n" for a in addresses)
    with tempfile.NamedTemporaryFile("w") as script:
        script.write(commands)
        script.flush()
        said = run(["gdb", "-nx", "-q", "-batch", "-iex", "set auto-load off", "-iex", "set debuginfod enabled off",
                    "-x", script.name, path], "")
    if said is None:
        return None
    found, address = dict.fromkeys(addresses), None
    for line in said.splitlines():
        match = re.match(r'Line (\d+) of "(.*)" (starts|is) at address', line)
        if line.startswith("@0x"):
            address = int(line[1:], 16)
        elif match and address is not None:
            found[address] = place(match[2], match[1])
    return found


# ---- comparison ----

def reason(ours, elfutils, gdb):
    """
    Which of them say what we say, or how we differ from both. That elfutils has no line, too, proves nothing, as it
    lacks whole units; gdb has a line at some lines 0.
    """
    if ours == LINE_0:
        return "line 0, nobody has one" if gdb is None else "line 0, gdb has one"
    if ours is None and gdb is None:
        return "nobody has a line" if elfutils is None else "elfutils has one behind the end"
    if ours is None:
        return "ALONE: we have none"
    if ours == elfutils and ours == gdb:
        return "all agree"
    if ours == gdb:
        return "elfutils has none" if elfutils is None else "elfutils differs"
    if ours == elfutils:
        return "gdb has none" if gdb is None else "gdb differs"
    if elfutils is None and gdb is None:
        return "ALONE: only we have a line"
    return "ALONE: other lines"


def known_reasons():
    rows = (line.split(None, 1) for line in open(KNOWN, encoding="utf-8") if line.strip() and line[0] != "#")
    return [(pattern, why.strip()) for pattern, why in rows]


def compare(places, path, sections, number):
    """How many addresses have which reason, and those that nobody else says; None: a tool did not answer."""
    addresses = addresses_by_chance(path, sections, number)
    counts, alone = collections.Counter(), []
    answers = [of_topstacks(places, path, addresses), of_elfutils(path, addresses), of_gdb(path, addresses)]
    if None in answers:
        return None, [("topstacks", "elfutils", "gdb")[answers.index(None)]]
    for address in addresses:
        said = [answer.get(address) for answer in answers]
        why = reason(*said)
        counts[why] += 1
        if why.startswith("ALONE"):
            alone.append((address, said))
    return counts, alone


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--addresses", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("places")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    files = list(files_with_lines(options.files or programs_of_machine()))
    random.Random(1).shuffle(files)
    until, sums, failed, nr_done, known = time.monotonic() + options.seconds, collections.Counter(), 0, 0, known_reasons()
    for path, sections in files:
        if time.monotonic() >= until:
            break
        nr_done += 1
        counts, alone = compare(options.places, path, sections, options.addresses)
        why = next((why for pattern, why in known if fnmatch.fnmatch(path, pattern)), None)
        if counts is None:
            print(f"[{nr_done}/{len(files)}] {path}: {alone[0]} does not answer" + (f" ({why})" if why else ""), flush=True)
            sums["files not answered"] += 1
            continue
        sums += counts
        words = ", ".join(f"{name} {nr}" for name, nr in sorted(counts.items()))
        print(f"[{nr_done}/{len(files)}] {path}: {words}" + (f" (known: {why})" if alone and why else ""), flush=True)
        failed += bool(alone) and not why
        for address, said in [] if why else alone[:SHOWN]:
            print(f"    {address:#x}: topstacks {said[0]}, elfutils {said[1]}, gdb {said[2]}")
    print(f"{nr_done} of {len(files)} files; " + ", ".join(f"{name} {nr}" for name, nr in sorted(sums.items())))
    sys.exit(1 if failed or not files else 0)


if __name__ == "__main__":
    main()
