#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Profiles that cost whoever reads them more than they should: pprof.py KIND FILE NUMBER|TEXT...

ids: ids that differ in their upper halves alone, out of order. comms: a program name for each sample.
strings, functions, locations, mappings, labels: so many of them, without contents. modules: samples in
the files that are named, by address. words: folded stacks, in each a word for itself.
"""

import gzip
import random
import sys

STRINGS = ["", "samples", "count", "comm", "f"]


def varint(value):
    encoded = b""
    while value >= 128:
        encoded += bytes([value & 127 | 128])
        value >>= 7
    return encoded + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(*fields):
    return b"".join(field(number, value) for number, value in fields)


def sample(location, *labels):
    return message((2, message((1, location), (2, 1), *((3, label) for label in labels))))


def begin(strings=STRINGS):
    return message((1, message((1, 1), (2, 2))), *((6, text.encode()) for text in strings))


def save(path, *parts):
    with gzip.open(path, "wb", compresslevel=6) as file:
        for part in parts:
            file.write(part)


def ids(path, number):
    order = list(range(1, number + 1))
    random.Random(1).shuffle(order)
    save(path, begin(), *(
        message((3, message((1, i << 32), (5, 4))),
                (4, message((1, i << 32), (2, i << 32), (3, i), (4, message((1, i << 32))))),
                (5, message((1, i << 32), (2, 4)))) + sample(i << 32)
        for i in order))


def comms(path, number):
    names = [f"program{i}" for i in range(number)]
    place = message((4, message((1, 1), (4, message((1, 1))))), (5, message((1, 1), (2, 4))))
    save(path, begin(STRINGS + names), place, *(
        sample(1, message((1, 3), (2, len(STRINGS) + i))) for i in range(number)))


def nothing(number_of_field):
    def write(path, number):
        one = message((number_of_field, b""))
        save(path, begin(), one * (1 << 20) * (number >> 20), one * (number & 0xFFFFF))
    return write


def labels(path, number):
    save(path, begin(), message((2, message((2, 1), *[(3, b"")] * number))))


def modules(path, *names):
    strings = STRINGS + list(names) + ["0123456789abcdef0123456789abcdef01234567"]
    save(path, begin(strings), *(
        message((3, message((1, i), (2, i << 20), (3, (i + 1) << 20), (5, len(STRINGS) + i - 1),
                            (6, len(strings) - 1))),
                (4, message((1, i), (2, i), (3, (i << 20) + 4096)))) + sample(i)
        for i in range(1, len(names) + 1)))


def words(path, number):
    with open(path, "w", encoding="ascii") as file:
        for i in range(number):
            file.write(f"main;word{i:x};{i} 1\n")


KINDS = {"ids": ids, "comms": comms, "labels": labels, "modules": modules, "words": words,
         "samples": nothing(2), "mappings": nothing(3), "locations": nothing(4), "functions": nothing(5),
         "strings": nothing(6)}

if __name__ == "__main__":
    arguments = [int(word) if word.isdigit() else word for word in sys.argv[3:]]
    KINDS[sys.argv[1]](sys.argv[2], *arguments)
