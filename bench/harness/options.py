# SPDX-License-Identifier: GPL-2.0-only
"""The options that all benchmarks take."""

import argparse
import os
import sys

from . import machine
from .process import Failed


def parse(description, add_options):
    parser = argparse.ArgumentParser(description=description.strip().splitlines()[0])
    parser.add_argument("--full", action="store_true", help="every cell, more rounds")
    parser.add_argument("--rounds", type=int, metavar="N", help="repetitions (3; full: 7)")
    parser.add_argument("--seconds", type=int, metavar="S", default=5, help="of one run (5)")
    if add_options:
        add_options(parser)
    options = parser.parse_args()
    options.rounds = options.rounds or (7 if options.full else 3)
    return options


def main(measure, description, add_options=None, needs_root=True):
    """Runs one benchmark: says where, measures, and ends with 1 if a goal was missed. What options it
    has of its own, add_options adds to the parser."""
    options = parse(description, add_options)
    if needs_root and os.geteuid():
        sys.exit("benchmarks need root")
    print(f"{os.path.basename(sys.argv[0])} on {machine.describe()}")
    print(f"{options.rounds} rounds; each figure is the median (smallest - largest) of them")
    sys.stdout.flush()
    try:
        reached = measure(options)
    except (Failed, OSError) as error:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {error}")
    print(f"load average {machine.load_average():.2f} at the end")
    sys.exit(0 if reached else 1)
