#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""foreign.py FILE PATH BUILD_ID|- SYSTEM_NAME|- ADDRESS...: a profile as other tools write it, without names.

Of a file that is mapped at 0x555555554000 as a whole; a sample at each address of it. A system name is that of one more
function, which has no other.
"""

import sys


def number(value):
    parts = []
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def field(which, value):
    if isinstance(value, int):
        return number(which << 3) + number(value)
    return number(which << 3 | 2) + number(len(value)) + value


def message(*values):
    """Fields 1, 2, … of a message; 0 is left out."""
    return b"".join(field(i + 1, value) for i, value in enumerate(values) if value)


def main():
    file, path, build_id, system_name, *addresses = sys.argv[1:]
    start, size = 0x555555554000, 1 << 30
    strings = ["", "samples", "count", path, build_id.strip("-"), system_name.strip("-")]
    parts = [field(1, message(1, 2)), field(3, message(1, start, start + size, 0, 3, 4 if strings[4] else 0))]
    if strings[5]:
        line = message(1, 7)
        parts += [field(5, message(1, 5, 5)), field(4, message(99, 1, start, line)), field(2, message(99, 1))]
    for i, address in enumerate(addresses):
        parts += [field(4, message(i + 1, 1, start + int(address, 16))), field(2, message(i + 1, 1))]
    parts += [field(6, string.encode()) for string in strings]
    with open(file, "wb") as out:
        out.write(b"".join(parts))


main()
