# SPDX-License-Identifier: GPL-2.0-only
"""Many recordings of a few commands, and comparisons of sides drawn from them.

Commands take turns, so that all of them meet the same hour of the machine. Draws are made with a
fixed seed: what differs from one benchmark to the next is the recordings alone.
"""

import json
import os
import random
import subprocess

from .process import Failed

TOPSTACKS = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "topstacks")
EXITS = (0, 1)  # nothing failed, or something did: both are answers


def record(directory, commands, rounds):
    """Records each of {name: (rate, command)} so many times, in turns: {name: [path]}."""
    pools = {name: [] for name in commands}
    for turn in range(-1, rounds):  # the first one warms up
        for name, (rate, command) in commands.items():
            path = os.path.join(directory, f"{name}-{turn}.pb.gz")
            _run([TOPSTACKS, "record", "-q", "-F", rate, "-o", path, "--", *command])
            if turn >= 0:
                pools[name].append(path)
    return pools


def compare(base, new):
    """The exit code and the report, as JSON has it, of a comparison of shares."""
    done = _run([TOPSTACKS, "diff", "--per=share", "--format=json", *base, "--against", *new], EXITS)
    return done.returncode, json.loads(done.stdout)


def draw_sides(pools, runs, comparisons, seed):
    """So many pairs of sides: runs of the first pool against others of the second, or the same."""
    draw = random.Random(seed)
    for _ in range(comparisons):
        if pools[0] is pools[1]:
            drawn = draw.sample(pools[0], 2 * runs)
            yield drawn[:runs], drawn[runs:]
        else:
            yield draw.sample(pools[0], runs), draw.sample(pools[1], runs)


def _run(command, exits=(0,)):
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode not in exits:
        message = done.stderr.decode(errors="replace").strip()
        raise Failed(f"{' '.join(command)}: status {done.returncode}: {message[-300:]}")
    return done
