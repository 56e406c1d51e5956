# SPDX-License-Identifier: GPL-2.0-only
"""Symbols of one file, an eighth of a million functions for each 8 MB of it: the first name and those that follow, asked
of the library, and a run on the program at work with little memory for symbols and with enough."""

import json
import os
import platform
import random
import struct
import subprocess
import tempfile
import time

from harness import process, tools

TITLE = "MB of symbols of a file"
SIZES = (125, 250, 500)

COSTS = {
    "first_cpu_ms": ("CPU of the first name, ms", "{:,.0f}"),
    "first_ms": ("until the first name, ms", "{:,.0f}"),
    "lookup_peak_mb": ("peak memory of who asks, MB", "{:.0f}"),
    "held_mb": ("of this, symbols, MB", "{:.0f}"),
    "ns_a_name": ("each name then, ns", "{:.0f}"),
    "large_cpu_s": ("CPU of a run of 5 s, --symbol-memory 2G, s", "{:.2f}"),
    "large_peak_mb": ("its peak memory, MB", "{:.0f}"),
    "small_cpu_s": ("the same with 16M, s", "{:.2f}"),
    "small_peak_mb": ("its peak memory, MB", "{:.0f}"),
}
TOLD = {
    "nr_named": ("of 1,000 names, right", "{:.0f}"),
    "large_named": ("% of samples named, 2G", "{:.1f}"),
    "small_named": ("the same, 16M", "{:.1f}"),
}
NONE_OF = {"wrong": "wrong name", "silent": "run that lacks names and says nothing of it"}

LOOKUP = os.path.join(tools.BUILD, "bench/lookup/lookup")
SYMBOL_BYTES, NAME_BYTES, CODE_BYTES = 24, 40, 16
BASE, CODE_OFFSET = 0x400000, 0x1000
SPIN = {"x86_64": (62, b"\xeb\xfe"), "aarch64": (183, b"\x00\x00\x00\x14")}[platform.machine()]  # a jump to itself


def name_of(number):
    return f"function_{number:09}_of_many_of_a_program"  # with its end, NAME_BYTES


def address_of(number):
    return BASE + CODE_OFFSET + number * CODE_BYTES


def _sections(nr, symbols_at, names_at):
    """None, .text, .symtab, .strtab, and their names, which end the file of names."""
    text = b"\0.text\0.symtab\0.strtab\0"
    names_bytes = 1 + nr * NAME_BYTES
    header = struct.Struct("<IIQQQQIIQQ")
    return text, b"".join((
        header.pack(*[0] * 10),
        header.pack(1, 1, 6, BASE + CODE_OFFSET, CODE_OFFSET, nr * CODE_BYTES, 0, 0, 16, 0),
        header.pack(7, 2, 0, 0, symbols_at, (nr + 1) * SYMBOL_BYTES, 3, 1, 8, SYMBOL_BYTES),
        header.pack(15, 3, 0, 0, names_at, names_bytes, 0, 0, 1, 0),
        header.pack(15, 3, 0, 0, names_at + names_bytes, len(text), 0, 0, 1, 0)))


def write_program(path, megabytes):
    """A program that spins in its middle function. Returns how many it has; their code is a hole in the file."""
    nr = megabytes * 1_000_000 // (SYMBOL_BYTES + NAME_BYTES)
    machine, code = SPIN
    symbols_at = CODE_OFFSET + nr * CODE_BYTES
    names_at = symbols_at + (nr + 1) * SYMBOL_BYTES
    section_names, sections = _sections(nr, symbols_at, names_at)
    symbol = struct.Struct("<IBBHQQ")
    with open(path, "wb") as file:
        sections_at = names_at + 1 + nr * NAME_BYTES + len(section_names)
        file.write(struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 2, machine, 1, address_of(nr // 2), 64,
                               sections_at, 0, 64, 56, 1, 64, 5, 4))
        file.write(struct.pack("<IIQQQQQQ", 1, 5, 0, BASE, BASE, symbols_at, symbols_at, 0x1000))
        file.seek(CODE_OFFSET + nr // 2 * CODE_BYTES)
        file.write(code)
        file.seek(symbols_at + SYMBOL_BYTES)
        for number in range(nr):
            file.write(symbol.pack(1 + number * NAME_BYTES, 0x12, 0, 1, address_of(number), CODE_BYTES))
        file.write(b"\0")
        for number in range(nr):
            file.write(name_of(number).encode() + b"\0")
        file.write(section_names + sections)
    os.chmod(path, 0o755)
    return nr


def _look_up(path, nr):
    numbers = random.Random(1).choices(range(nr), k=1000)
    usage = process.run([LOOKUP, path, *(f"{address_of(number):x}" for number in numbers)])
    told, names = json.loads(usage.stderr), usage.stdout.splitlines()
    nr_right = sum(name == name_of(number) for name, number in zip(names, numbers))
    return {
        "first_cpu_ms": told["first_cpu_ms"],
        "first_ms": told["first_ms"],
        "lookup_peak_mb": usage.peak_bytes / 1e6,
        "held_mb": told["bytes"] / 1e6,
        "ns_a_name": 1e9 / told["lookups_per_s"],
        "nr_named": nr_right,
        "wrong": sum(name != "??" for name in names) - nr_right,
    }


def _run(what, path, nr, memory):
    with subprocess.Popen([path]) as program:
        try:
            usage = process.run([tools.TOPSTACKS, "-p", program.pid, "-F", 499, "-i", 1, "-d", 5, "--json",
                                 "--symbol-memory", memory])
        finally:
            program.kill()
    intervals = [json.loads(line) for line in usage.stdout.splitlines()]
    leaves = [(sample["count"], sample["frames"][-1]["function"]) for one in intervals for sample in one["samples"]]
    total, nr_unread = (sum(one["ledger"][key] for one in intervals) for key in ("counted", "unread"))
    nr_named = sum(count for count, name in leaves if name == name_of(nr // 2))
    return {
        f"{what}_cpu_s": usage.cpu_s,
        f"{what}_peak_mb": usage.peak_bytes / 1e6,
        f"{what}_named": 100 * nr_named / max(total, 1),
        f"{what}_silent": nr_named + nr_unread < 0.99 * total and path not in usage.stderr,
        f"{what}_said": usage.stderr.replace(path, f"program of {nr:,} symbols").strip(),
    }


def measure(megabytes):
    with tempfile.TemporaryDirectory() as directory, process.time_limit(300):
        path = os.path.join(directory, "program")
        nr = write_program(path, megabytes)
        time.sleep(2.1)  # a file that is younger than a sample is not believed
        facts = _look_up(path, nr) | _run("large", path, nr, "2G") | _run("small", path, nr, "16M")
    facts["silent"] = facts.pop("large_silent") + facts.pop("small_silent")
    for what in ("large_said", "small_said"):
        said = facts.pop(what)
        if said:
            print(said)
    return facts
