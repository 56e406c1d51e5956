# SPDX-License-Identifier: GPL-2.0-only
"""Files that processes offer the sampler, of any size: {name: (kind for decode, n, function of n that returns bytes)}.

As in shapes.py, twice the n is twice the file, and what can be long grows as well.
"""

import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../attacks"))
import elf  # noqa: E402

elf.CODE = bytes(1 << 20)  # what a shape speaks of is code
elf.DATA_AT = elf.CODE_AT + len(elf.CODE)

DECODERS = {}


def decoder(kind, n=10000):
    def note(build):
        DECODERS[build.__name__] = (kind, n, build)
        return build
    return note


# ---- text ----


@decoder("perf_map")
def functions_of_a_map(n):
    return b"".join(b"%x 10 f%d\n" % (i << 4, i) for i in range(1, n))


@decoder("perf_map")
def functions_that_overlap(n):
    return b"".join(b"%x %x f%d\n" % (1 << 20 - i % 20, 1 << 20, i) for i in range(1, n))


@decoder("perf_map")
def a_map_from_the_back(n):
    return b"".join(b"%x 20 f%d\n" % ((n - i) << 4, i) for i in range(1, n))


@decoder("perf_map")
def lines_without_end(n):
    return b"1000 10 " + b"f" * (16 * n) + b"\n" + b"2000" + b" " * (16 * n)


@decoder("kallsyms")
def symbols_of_one_address(n):
    return b"".join(b"ffffffff81000000 t f%d\t[m%d]\n" % (i, i) for i in range(n))


@decoder("kallsyms")
def symbols_of_the_kernel(n):
    return b"".join(b"%016x t f%d\n" % (0xFFFFFFFF81000000 + (i * 7919 % n << 4), i) for i in range(n))


@decoder("maps")
def mappings(n):
    return b"".join(b"%x-%x r-xp 00000000 08:01 %d /%s\n" % (i << 12, i + 1 << 12, i, b"p" * 40) for i in range(1, n))


# ---- jitdump ----


def record(kind, content):
    return struct.pack("<IIQ", kind, 16 + len(content), 0) + content


def dump(records):
    return struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 1, 0, 0) + b"".join(records)


def load(address, size, index, name):
    return record(0, struct.pack("<IIQQQQ", 1, 1, address, address, size, index) + name + b"\0")


@decoder("jitdump")
def functions_of_a_dump(n):
    return dump(load(i << 4, 16, i, b"f%d" % i) for i in range(1, n))


@decoder("jitdump")
def functions_that_move(n):
    first = [load(i << 4, 16, i, b"f%d" % i) for i in range(1, n // 2)]
    return dump(first + [record(1, struct.pack("<IIQQQQQ", 1, 1, 0, i << 4, i + n << 4, 16, i))
                         for i in range(1, n // 2)])


# ---- ELF ----


def elf_file(sections):
    with tempfile.NamedTemporaryFile() as file:
        elf.write(file.name, sections)
        return open(file.name, "rb").read()


def symbol(name, address, size):
    return struct.pack("<IBBHQQ", name, 0x12, 0, 1, address, size)


def symbols(names, rows):
    table = bytes(24) + b"".join(symbol(*row) for row in rows)
    return elf_file([(".strtab", elf.SHT_STRTAB, 0, names, 0, 0), (".symtab", elf.SHT_SYMTAB, 0, table, 3, 24)])


@decoder("symbols")
def symbols_side_by_side(n):
    return symbols(b"\0f\0", [(1, elf.CODE_AT + i * 7919 % n, 1) for i in range(n)])


@decoder("symbols")
def symbols_in_one_place(n):
    return symbols(b"\0f\0", [(1, elf.CODE_AT, i) for i in range(n)])


@decoder("symbols")
def symbols_within_each_other(n):
    return symbols(b"\0f\0", [(1, elf.CODE_AT + i, 2 * (n - i)) for i in range(n)])


@decoder("symbols")
def names_within_each_other(n):
    return symbols(b"\0" + b"f" * n + b"\0", [(1 + i, elf.CODE_AT + i, 1) for i in range(n)])


@decoder("symbols")
def many_sections(n):
    return elf_file([("", elf.SHT_PROGBITS, 0, b"", 0, 0)] * min(n, 60000))


# ---- unwind tables ----

CIE = bytes.fromhex("01") + b"zR\0" + bytes.fromhex("01 78 10 01 1b 0c0708 9001")


def padded(content):
    content += bytes(-len(content) % 4)
    return struct.pack("<I", len(content)) + content


def frames(entries):
    return elf_file([(".eh_frame", elf.SHT_PROGBITS, elf.SHF_ALLOC, b"".join(entries) + bytes(4), 0, 0)])


def entries_of(n, start, size, program=b""):
    """A CIE, and n functions: start(i) is where each is, from the field that says so."""
    cie = padded(bytes(4) + CIE)
    parts, at = [cie], len(cie)
    for i in range(n):
        body = struct.pack("<IiI", at + 4, start(i) - (at + 8), size) + b"\0" + program
        parts.append(padded(body))
        at += len(parts[-1])
    return parts


@decoder("unwind")
def frames_side_by_side(n):
    return frames(entries_of(n, lambda i: elf.CODE_AT + i * 16 % (1 << 20), 16, b"\x41\x0e\x10"))


@decoder("unwind")
def frames_in_one_place(n):
    return frames(entries_of(n, lambda i: elf.CODE_AT, 1 << 19, b"\x41\x0e\x10"))


@decoder("symbols")
def functions_without_names(n):
    return frames(entries_of(n, lambda i: elf.CODE_AT + i * 7919 % n, 1))


@decoder("symbols")
def functions_without_names_within_each_other(n):
    return frames(entries_of(n, lambda i: elf.CODE_AT + i, 1 << 19))


@decoder("symbols")
def a_gap_between_functions(n):
    common = entries_of(1, lambda i: elf.CODE_AT, 16)
    return frames([bytes(16 * n)] + common)


@decoder("symbols")
def functions_of_a_gap(n):
    """Each says that what it shares with others begins in the zeros before it."""
    own = [padded(struct.pack("<Iii", 16 * i + 1000, 0, 16)) for i in range(n)]
    return frames([bytes(16 * n + 1000)] + own)


@decoder("unwind")
def a_long_program(n):
    return frames(entries_of(1, lambda i: elf.CODE_AT, 1 << 20, b"\x41\x0e\x10\x41\x0e\x08" * n))


@decoder("unwind")
def states_remembered(n):
    return frames(entries_of(1, lambda i: elf.CODE_AT, 1 << 20, b"\x0a" * n + b"\x41\x0b" * n))


@decoder("unwind")
def many_cies(n):
    return frames(entries_of(1, lambda i: elf.CODE_AT, 16) + [padded(bytes(4) + CIE)] * n)


# ---- lines, as an assembler and a compiler make them ----


def built(language, text):
    with tempfile.TemporaryDirectory() as directory:
        source, out = os.path.join(directory, "source." + language), os.path.join(directory, "out")
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        # Nothing that grows is before the code, which is where addresses are asked for.
        subprocess.run(["cc", "-g", "-O1", "-shared", "-nostdlib", "-fPIC", "-fvisibility=hidden",
                        "-fno-asynchronous-unwind-tables", "-o", out, source], check=True)
        return open(out, "rb").read()


@decoder("lines", 1000)
def rows_of_lines(n):
    return built("s", "nop\n" * (4 * n))


@decoder("lines", 1000)
def functions_with_lines(n):
    return built("c", "".join(f"int f{i}(int a) {{ return a * {i}; }}\n" for i in range(n // 4 + 1)))


@decoder("lines", 1000)
def functions_inlined(n):
    calls = "".join(f"x += g(x, {i});\n" for i in range(n // 8 + 1))
    return built("c", "static inline __attribute__((always_inline)) int g(int a, int b) { return a * b + 1; }\n"
                      f"int f(int x) {{ {calls} return x; }}\n")
