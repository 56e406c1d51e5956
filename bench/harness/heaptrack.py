# SPDX-License-Identifier: GPL-2.0-only
"""What a program allocated, exactly, by heaptrack's own file of all its calls.

Lines of the file, whose numbers are hexadecimal; indices begin with 1, those of blocks with 0:

    s LENGTH TEXT                            a string
    i ADDRESS MODULE [FUNCTION FILE LINE]... an instruction; of functions that are inlined there the outermost is last
    t INSTRUCTION PARENT                     a stack: its leaf, and the stack of the caller
    a SIZE STACK                             blocks of a size from a stack
    + BLOCKS                                 one of these was allocated
"""

import contextlib
import glob
import os
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Allocations:
    """In blocks and bytes, whether or not they were freed."""

    nr_blocks: int = 0
    nr_bytes: int = 0
    bytes_by_caller: Counter = field(default_factory=Counter)  # by the function that called malloc


class _Reader:
    def __init__(self):
        self._strings, self._functions, self._leaves, self._kinds = [""], [""], [0], []
        self._blocks = Counter()

    def _take(self, line):
        kind, _, rest = line.partition(b" ")
        if kind == b"+":
            self._blocks[rest] += 1
        elif kind == b"s":
            self._strings.append(rest.partition(b" ")[2].rstrip(b"\n").decode(errors="replace"))
        elif kind == b"i":
            words = rest.split()
            self._functions.append(self._strings[int(words[-3], 16)] if len(words) > 4 else self._bare(words))
        elif kind == b"t":
            self._leaves.append(int(rest.split()[0], 16))
        elif kind == b"a":
            size, stack = rest.split()
            self._kinds.append((int(size, 16), int(stack, 16)))

    def _bare(self, words):
        """Without source lines an instruction has its function at most."""
        return self._strings[int(words[2], 16)] if len(words) > 2 else ""

    def read(self, lines):
        for line in lines:
            self._take(line)
        result = Allocations()
        for number, nr_blocks in self._blocks.items():
            size, stack = self._kinds[int(number, 16)]
            result.nr_blocks += nr_blocks
            result.nr_bytes += nr_blocks * size
            result.bytes_by_caller[self._functions[self._leaves[stack]]] += nr_blocks * size
        return result


def _read(path):
    with subprocess.Popen(["zstdcat" if path.endswith(".zst") else "zcat", path], stdout=subprocess.PIPE) as unpacker:
        return _Reader().read(unpacker.stdout)


@contextlib.contextmanager
def recording():
    """`with recording() as (words, read)`: a command after these words is recorded; read() tells then."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "heap")
        yield ["heaptrack", "-o", path], lambda: _read(glob.glob(path + ".*")[0])
