#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""ELF files that cost whoever reads them more than they should: elf.py KIND FILE

All have a function at offset 4096 that counts its argument down, for bearer to run.
"""

import struct
import sys
import zlib
from random import Random

CODE = bytes.fromhex("48ffcf75fbc3")  # 1: dec %rdi; jne 1b; ret
CODE_AT = 0x1000
DATA_AT = 0x2000
SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB = 1, 2, 3
SHF_ALLOC, SHF_EXECINSTR, SHF_COMPRESSED = 2, 4, 0x800


def header(section_table, nr_sections, names_index):
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    start = struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, section_table, 0, 64, 56, 1, 64,
                        nr_sections, names_index)
    load = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, DATA_AT, DATA_AT, 4096)
    return ident + start + load


def section(name, kind, flags, address, offset, size, link=0, entry=0):
    return struct.pack("<IIQQQQIIQQ", name, kind, flags, address, offset, size, link, 0, 1, entry)


def write(path, sections):
    """sections: rows of (name, type, flags, contents, link, entry bytes); those of code and names are
    made: the first and the second. A number as contents is that many bytes of a sparse file."""
    names = b"\0.text\0.shstrtab\0"
    text = section(1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, CODE_AT, CODE_AT, len(CODE))
    with open(path, "wb") as file:
        file.seek(CODE_AT)
        file.write(CODE)
        offset, rows = DATA_AT, []
        for name, kind, flags, contents, link, entry in sections:
            size = contents if isinstance(contents, int) else len(contents)
            rows.append(section(len(names), kind, flags, 0, offset, size, link, entry))
            names += name.encode() + b"\0"
            if size and not isinstance(contents, int):
                file.seek(offset)
                file.write(contents)
            offset += -(-size // 8) * 8
        table = offset + -(-len(names) // 8) * 8
        file.seek(offset)
        file.write(names)
        file.seek(table)
        file.write(bytes(64) + text + section(7, SHT_STRTAB, 0, 0, offset, len(names)) + b"".join(rows))
        file.seek(0)
        file.write(header(table, 3 + len(rows), 2))


def plain(path):
    write(path, [])


def sections(path):
    """12 KB on disk that claim 10^8 sections: their number is the size of the first one."""
    number = 10**8
    with open(path, "wb") as file:
        file.write(header(DATA_AT, 0, 0))
        file.seek(CODE_AT)
        file.write(CODE)
        file.seek(DATA_AT)
        file.write(section(0, 0, 0, 0, 0, number))
        file.truncate(DATA_AT + 64 * number)


def cies(path):
    """A CIE takes 16 bytes, and zlib makes little more than a hundredth of it: as much as is believed."""
    cie = struct.pack("<II", 12, 0) + b"\x01\0\x01\x78\x10" + bytes(3)
    nr_bytes = 120 << 20
    random = Random(1)
    some = b"".join(cie[:13] + (random.randbytes(3) if i % 40 == 0 else bytes(3)) for i in range(2**16))
    pressed = zlib.compress(some * (nr_bytes // len(some)), 9)
    start = struct.pack("<IIQQ", 1, 0, nr_bytes, 8)
    write(path, [(".eh_frame", SHT_PROGBITS, SHF_COMPRESSED, start + pressed, 0, 0)])


def names(path):
    """10^6 symbols, whose names are all one of a megabyte without a NUL."""
    symbol = struct.pack("<IBBHQQ", 1, 0x12, 0, 1, CODE_AT, len(CODE))
    strings = b"\0" + b"a" * (2 << 20)
    write(path, [
        (".symtab", SHT_SYMTAB, 0, symbol * 10**6, 4, 24),
        (".strtab", SHT_STRTAB, 0, strings, 0, 0),
    ])


def pressed(nr_zeros, contents):
    """A compressed section of zeros, of which no more is believed, then noise, then contents."""
    noise = Random(1).randbytes(24 * (nr_zeros // 128 // 24))
    maker = zlib.compressobj(6)
    zeros = bytes(1 << 20)
    parts = [maker.compress(zeros) for _ in range(nr_zeros >> 20)]
    parts += [maker.compress(noise + contents), maker.flush()]
    nr_bytes = (nr_zeros >> 20 << 20) + len(noise) + len(contents)
    return struct.pack("<IIQQ", 1, 0, nr_bytes, 8) + b"".join(parts), nr_bytes


def greedy(path):
    """6 MB that come to 700, which are held while names of one address are put in order."""
    strings, nr_bytes = pressed(200 << 20, b"\0" + b"a" * 64 + b"\0")
    symbol = struct.pack("<IBBHQQ", nr_bytes - 65, 0x12, 0, 1, CODE_AT, len(CODE))
    symbols, _ = pressed(480 << 20, symbol * 2**19)
    write(path, [
        (".symtab", SHT_SYMTAB, SHF_COMPRESSED, symbols, 4, 24),
        (".strtab", SHT_STRTAB, SHF_COMPRESSED, strings, 0, 0),
    ])


def linked(path):
    """Its debug file is beside it, with .debug behind its name."""
    link = path.rsplit("/", 1)[1].encode() + b".debug\0"
    link += bytes(-len(link) % 4) + b"\x12\x34\x56\x78"
    write(path, [(".gnu_debuglink", SHT_PROGBITS, 0, link, 0, 0)])


def with_debug_file(path, nr_bytes):
    """Its debug file is all holes, and its checksum has to be made."""
    linked(path)
    write(f"{path}.debug", [(".symtab", SHT_SYMTAB, 0, 24, 0, 24)])
    with open(f"{path}.debug", "r+b") as file:
        file.truncate(nr_bytes)


def debug_link(path):
    with_debug_file(path, (4 << 30) - 1)


def checksum(path):
    """As large as is put up with: half a second of CPU time."""
    with_debug_file(path, (512 << 20) - 4096)


KINDS = {one.__name__: one for one in (plain, sections, cies, names, greedy, linked, debug_link, checksum)}

if __name__ == "__main__":
    KINDS[sys.argv[1]](sys.argv[2])
