# SPDX-License-Identifier: GPL-2.0-only
"""collapse.py FILE: the output of `perf script` as folded stacks, one line for each distinct one.

swapper     0 [000]  1231.198604:   10101010 cpu-clock:
	ffffffff821f4dab pv_native_safe_halt+0xb ([kernel.kallsyms])
"""

import sys
from collections import Counter


def collapse(lines):
    stacks, comm, frames = Counter(), None, []
    for line in lines:
        if line.startswith("\t"):
            name = line.split(None, 1)[1].rsplit(" (", 1)[0]
            frames.append(name.rsplit("+0x", 1)[0])
        elif line.strip():
            comm = line.split(None, 1)[0]
        elif comm:
            stacks[";".join([comm, *reversed(frames)])] += 1
            comm, frames = None, []
    return stacks


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        for stack, count in collapse(file).items():
            print(stack, count)


main()
