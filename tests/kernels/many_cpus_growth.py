#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a run takes on machines of more and more CPUs.

many_cpus_growth.py note STOCK CPUS DIRECTORY: adds what the guest's `try stock` took, a line of JSON, to the file STOCK.
many_cpus_growth.py check STOCK: holds the lines against what docs/memory.md says of maps.
many_cpus_growth.py write STOCK DOCS: writes the table in DOCS/memory.md and DOCS/pictures/cpus.svg anew.
"""

import json
import math
import pathlib
import re
import sys

BEGIN, END = "<!-- tests/kernels/many_cpus: from here -->\n", "<!-- tests/kernels/many_cpus: to here -->\n"
DEPTH, HZ = 127, 99
ROWS = (("kernel", "maps in the kernel, MB", 1e6), ("rings", "rings of process records, MB", 1e6),
        ("user", "memory of the process at most, MB", 1e6), ("events", "perf events", 1),
        ("of_bpf", "links, maps and programs that are open", 1))
COLOURS = ("#1b6ca8", "#c0532b", "#3d8b40", "#7d4fa3", "#8a6d1f")


def note(stock, cpus, directory):
    directory = pathlib.Path(directory)
    interval = json.loads((directory / "stock.out").read_text().splitlines()[0])
    descriptors = (directory / "stock.descriptors").read_text()
    line = {"cpus": int(cpus), "kernel": interval["cost"]["kernel_bytes"], "user": interval["cost"]["peak_bytes"],
            "events": descriptors.count("perf_event"), "of_bpf": descriptors.count(":bpf"),
            "rings": sum(int(end, 16) - int(start, 16) for start, end in
                         (line.split()[0].split("-") for line in (directory / "stock.rings").read_text().splitlines()))}
    with open(stock, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def power_of_two(least):
    return 1 << max(0, math.ceil(math.log2(least)))


def set_bytes(cpus):
    """Of a set of maps, as docs/memory.md has it."""
    capacity = max(1024, power_of_two(HZ * cpus / 4), min(4096, power_of_two(HZ * cpus * 2)))
    record = math.ceil((8 * DEPTH + 32) / 128) * 128
    return (1.5 * capacity * 120 + (1.5 * capacity + 1024) * 96 + (min(512, capacity / 4) + 1) * (40 + 8 * DEPTH)
            + (cpus + 1.5 * capacity / 16) * 1088 + (2 * cpus + capacity / 16) * (4120 + record))


def read(stock):
    lines = sorted((json.loads(line) for line in open(stock, encoding="utf-8")), key=lambda one: one["cpus"])
    return lines if len(lines) > 1 else sys.exit("nothing to compare")


def check(stock):
    """What each more CPU takes in the kernel is what the document says of two sets, and of walks: 60 KB."""
    few, *_, many = read(stock)
    said = 2 * (set_bytes(many["cpus"]) - set_bytes(few["cpus"])) + 60e3 * (many["cpus"] - few["cpus"])
    found = many["kernel"] - few["kernel"]
    if not 0.7 * said <= found <= 1.3 * said:
        sys.exit(f"from {few['cpus']} to {many['cpus']} CPUs maps grow by {found / 1e6:.1f} MB, "
                 f"and docs/memory.md says {said / 1e6:.1f} MB")


def table(lines):
    out = "| | " + " | ".join(f"{one['cpus']} CPUs" for one in lines) + " |\n" + "|---" * (len(lines) + 1) + "|\n"
    for key, name, unit in ROWS:
        digits = 1 if unit > 1 else 0
        out += f"| {name} | " + " | ".join(f"{one[key] / unit:.{digits}f}" for one in lines) + " |\n"
    return out


def picture(lines):
    """Each row as a line, of what it is at the fewest CPUs; both axes are logarithms."""
    width, height, left, bottom = 560, 300, 50, 40
    most = max(one[key] / lines[0][key] for one in lines for key, _, _ in ROWS)
    most = max(power_of_two(most), lines[-1]["cpus"] / lines[0]["cpus"])
    x = lambda cpus: left + (width - left - 190) * math.log(cpus / lines[0]["cpus"]) / math.log(lines[-1]["cpus"] / lines[0]["cpus"])
    y = lambda times: height - bottom - (height - bottom - 20) * math.log(times) / math.log(most)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for one in lines:
        out.append(f'<text x="{x(one["cpus"]):.0f}" y="{height - bottom + 18}" text-anchor="middle">{one["cpus"]}</text>')
    times = 1
    while times <= most:
        out.append(f'<path d="M{left} {y(times):.0f}H{x(lines[-1]["cpus"]):.0f}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y(times) + 4:.0f}" text-anchor="end">{times} x</text>')
        times *= 2
    out.append(f'<text x="{left}" y="{height - 6}">CPUs; what topstacks takes, as a multiple of what it takes on {lines[0]["cpus"]}</text>')
    ends = sorted(((lines[-1][key] / lines[0][key], key, name) for key, name, _ in ROWS))
    at = math.inf
    for (end, key, name), colour in zip(ends, COLOURS):
        points = " ".join(f'{x(one["cpus"]):.1f},{y(one[key] / lines[0][key]):.1f}' for one in lines)
        at = min(y(end) + 4, at - 14)
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
                   f'<text x="{x(lines[-1]["cpus"]) + 8:.0f}" y="{at:.0f}" fill="{colour}">{name.split(",")[0]}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def write(stock, docs):
    docs, lines = pathlib.Path(docs), read(stock)
    document = docs / "memory.md"
    text = document.read_text(encoding="utf-8")
    document.write_text(re.sub(f"({re.escape(BEGIN)}).*({re.escape(END)})", lambda m: m[1] + table(lines) + m[2], text, flags=re.S),
                        encoding="utf-8")
    (docs / "pictures" / "cpus.svg").write_text(picture(lines), encoding="utf-8")


{"note": note, "check": check, "write": write}[sys.argv[1]](*sys.argv[2:])
