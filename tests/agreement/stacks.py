# SPDX-License-Identifier: GPL-2.0-only
"""
Runs inside gdb, which runs a program: stops it at many moments, and compares gdb's stack with that of the
product's walker for the same registers and memory. The environment says

    WALKER    the program that walks (walker.c)
    INTERRUPTER   what interrupts a process at some moment (interrupt.py)
    MOMENTS   how many
    LABEL     what the row of the table is called
    RESULT    where to put the row, and some of the stacks that are wrong
    TRUTH     what a whole stack must have: "gdb", all of gdb's frames; "never", there is none; functions
              from the leaf to the root, where gdb is known to be wrong. Separated by commas

Ends with 1 if there is a stack that is wrong.
"""

import contextlib
import os
import subprocess

import gdb

EXAMPLES = 3
MAX_FRAMES = 400
MADE_UP = (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME)  # of what debug information says
PAST_ROOTS = ("runtime.clone",)  # calls what Go has as outermost
START_S = 0.5


class Walker:
    def __init__(self, path, pid):
        self.process = subprocess.Popen([path, str(pid)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, errors="replace")

    def walk(self, *registers):
        print("maps", file=self.process.stdin)
        print(*(f"{value:x}" for value in registers), file=self.process.stdin, flush=True)
        verdict, *words = self.process.stdout.readline().rstrip("\n").split("\t")
        if not verdict:
            raise gdb.GdbError("the walker ended")
        return verdict, [int(word, 16) for word in words[::2]], words[1::2]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def run_for_a_moment(interrupter, pid, at_least_s=0):
    print(pid, at_least_s, file=interrupter.stdin, flush=True)
    gdb.execute("continue", to_string=True)
    if not gdb.selected_inferior().pid:
        raise gdb.GdbError("the program ended")


def registers():
    frame = gdb.newest_frame()
    return [int(frame.read_register(name)) & (1 << 64) - 1 for name in ("rip", "rsp", "rbp")]


def code_of_files(pid):
    with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as maps:
        rows = [line.split() for line in maps]
    return [[int(end, 16) for end in row[0].split("-")] for row in rows if "x" in row[1] and len(row) > 5]


def stack_of_gdb(pid):
    """The pcs of gdb's frames, and names, up to the first in no file: beyond that it guesses."""
    ranges = code_of_files(pid)
    pcs, names, frame = [], [], gdb.newest_frame()
    try:
        while frame and frame.name() not in PAST_ROOTS and len(pcs) < MAX_FRAMES:
            if not any(start <= frame.pc() < end for start, end in ranges):
                break
            if frame.type() not in MADE_UP:
                pcs.append(frame.pc())
                names.append(frame.name() or "??")
            frame = frame.older()
    except gdb.error:
        pass
    return pcs, names


def is_within(some, others):
    """All of some are among others, in this order."""
    left = iter(others)
    return all(item in left for item in some)


class Tally:
    def __init__(self, truth):
        self.truth = truth
        self.moments = self.whole = self.lacking = self.gdb_shorter = self.unverified = self.truncated = 0
        self.examples = []

    def has_known_functions(self, names):
        plain = [name.split("(")[0] for name in names]
        return is_within([name for name in self.truth if name not in ("gdb", "never")], plain)

    def lacks(self, pcs, names, gdb_pcs):
        return "never" in self.truth or not self.has_known_functions(names) or \
            ("gdb" in self.truth and not is_within(gdb_pcs, pcs))

    def add(self, walked, of_gdb):
        verdict, pcs, names = walked
        gdb_pcs, gdb_names = of_gdb
        self.moments += 1
        self.unverified += verdict == "unverified"
        self.truncated += verdict == "truncated"
        if verdict != "whole":
            return
        self.whole += 1
        self.gdb_shorter += len(gdb_pcs) < len(pcs) and is_within(gdb_pcs, pcs)
        if self.lacks(pcs, names, gdb_pcs):
            self.lacking += 1
            self.examples.append((list(zip(map(hex, pcs), names)), list(zip(map(hex, gdb_pcs), gdb_names))))

    def print(self, label, to):
        print(f"{label:24} {self.moments:7} {self.whole:6} {self.lacking:8} {self.gdb_shorter:12} "
              f"{self.unverified:11} {self.truncated:10}", file=to)
        for ours, theirs in self.examples[:EXAMPLES]:
            print("  ours:", *(f"{pc}:{name}" for pc, name in ours), file=to)
            print("  gdb: ", *(f"{pc}:{name}" for pc, name in theirs), file=to)


def main():
    for setting in ("pagination off", "confirm off", "auto-load off", "debuginfod enabled off",
                    "startup-with-shell off", "inferior-tty /dev/null", "backtrace past-main on", "backtrace past-entry on"):
        gdb.execute(f"set {setting}")
    gdb.execute("handle all nostop noprint pass", to_string=True)
    gdb.execute("handle SIGINT stop print nopass", to_string=True)
    gdb.execute("starti", to_string=True)
    pid = gdb.selected_inferior().pid
    interrupter = subprocess.Popen(["python3", os.environ["INTERRUPTER"]], stdin=subprocess.PIPE, text=True)
    tally = Tally(os.environ["TRUTH"].split(","))
    run_for_a_moment(interrupter, pid, START_S)
    walker = Walker(os.environ["WALKER"], pid)
    while not tally.has_known_functions(walker.walk(*registers())[2]):
        run_for_a_moment(interrupter, pid)  # on a busy machine it may not have begun yet
    while tally.moments < int(os.environ["MOMENTS"]):
        run_for_a_moment(interrupter, pid)
        tally.add(walker.walk(*registers()), stack_of_gdb(pid))
    walker.end()
    interrupter.stdin.close()
    interrupter.wait()
    gdb.execute("kill", to_string=True)
    with contextlib.suppress(FileNotFoundError):
        os.remove(f"/tmp/perf-{pid}.map")  # Python's
    with open(os.environ["RESULT"], "w", encoding="utf-8") as result:
        tally.print(os.environ["LABEL"], result)
    gdb.execute(f"quit {int(tally.lacking > 0)}")


main()
