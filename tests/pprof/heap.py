#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""heap.py FILE [SEED] [STACK=FACTOR...]: a heap profile of a made-up program, as a sampler by bytes sees it.

It has the sample types of Go's, of which inuse_space is the default. With SEED sampling is by chance, one in
512 KiB; without, each block is in it. A stack's blocks are as many as FACTOR says: "make_table=1.5". With --ours
the comments are there that topstacks writes of its events alloc and live.
"""

import gzip
import math
import random
import sys

PERIOD = 524288
TYPES = ("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"), ("inuse_space", "bytes")
# Root first, the size of a block, how many there were, which part of them is live.
SITES = (
    ("main serve read_request new_buffer malloc", 4096, 60000, 0.002),
    ("main serve parse make_node malloc", 48, 4000000, 0.05),
    ("main serve parse make_table calloc", 20000, 3000, 0.5),
    ("main serve answer make_text realloc", 900, 150000, 0),
    ("main load_config make_table calloc", 300000, 40, 1),
    ("main load_cache map_cache posix_memalign", 16777216, 3, 1),
)


def number(value):
    more = []
    while value > 127:
        more.append(value & 127 | 128)
        value >>= 7
    return bytes(more + [value])


def field(nr, value):
    if isinstance(value, int):
        return number(nr << 3) + number(value)
    return number(nr << 3 | 2) + number(len(value)) + value


def hits(size, blocks):
    """How many of the blocks are hit."""
    nr, at = 0, 0
    while True:
        at += int(random.expovariate(1 / PERIOD) / size)
        if at >= blocks:
            return nr
        nr, at = nr + 1, at + 1


def sampled(size, blocks, seed):
    """Blocks and their bytes, as they are told."""
    if seed is None:
        return blocks, blocks * size
    stands_for = hits(size, blocks) / -math.expm1(-size / PERIOD)
    return round(stands_for), round(stands_for * size)


def values(site, factors, seed):
    _, size, blocks, live = site
    for name in site[0].split():
        blocks = round(blocks * factors.get(name, 1))
    kept = round(blocks * live)
    freed = sampled(size, blocks - kept, seed)
    held = sampled(size, kept, seed)
    return [freed[0] + held[0], freed[1] + held[1], *held]


class Strings(list):
    def __call__(self, text):
        if text not in self:
            self.append(text)
        return self.index(text)


def type_of(strings, name, unit):
    return field(1, strings(name)) + field(2, strings(unit))


def comments(seed, blocks):
    period = 1 if seed is None else PERIOD
    yield "topstacks.run=event=alloc\tshown=weight"
    yield "topstacks.ledger=events={0}\tcounted={0}\twhole={0}".format(blocks[0])
    yield f"topstacks.run.1=event=live\tperiod={period}\tshown=weight"
    yield "topstacks.ledger.1=events={0}\tcounted={0}\twhole={0}".format(blocks[1])


def profile(seed, factors, ours):
    strings, functions, blocks, out = Strings([""]), {}, [0, 0], b""
    for name, unit in TYPES:
        out += field(1, type_of(strings, name, unit))
    for site in SITES:
        told = values(site, factors, seed)
        blocks = [blocks[0] + told[0], blocks[1] + told[2]]
        places = [functions.setdefault(name, len(functions) + 1) for name in reversed(site[0].split())]
        if any(told):
            out += field(2, field(1, b"".join(map(number, places))) + field(2, b"".join(map(number, told))))
    for name, place in functions.items():
        out += field(4, field(1, place) + field(4, field(1, place)))
        out += field(5, field(1, place) + field(2, strings(name)))
    out += field(11, type_of(strings, "space", "bytes")) + field(12, 1 if seed is None else PERIOD)
    out += field(9, 1700000000000000000) + field(10, 5000000000) + field(14, strings("inuse_space"))
    for comment in comments(seed, blocks) if ours else ():
        out += field(13, strings(comment))
    return out + b"".join(field(6, text.encode()) for text in strings)


def main():
    words = [word for word in sys.argv[2:] if word != "--ours"]
    factors = {name: float(factor) for name, factor in (word.split("=") for word in words if "=" in word)}
    seed = next((int(word) for word in words if "=" not in word), None)
    random.seed(seed)
    with gzip.open(sys.argv[1], "wb") as file:
        file.write(profile(seed, factors, "--ours" in sys.argv))


main()
