# SPDX-License-Identifier: GPL-2.0-only
"""Tables for people and Bencher Metric Format for machines.

{"distinct-stacks/13/topstacks": {"reached_percent": {"value": 1, "lower_value": 1, "upper_value": 1}}}
"""

import json
import os
import random
from statistics import median

RESULTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "results")


def spread(values, form="{:.2f}", scale=1.0):
    """"1.10 (1.02 - 1.31)": the median, and the smallest and largest of a few runs."""
    values = [value * scale for value in values if value is not None]
    if not values:
        return "-"
    middle = form.format(median(values))
    if len(values) == 1 or min(values) == max(values):
        return middle
    return f"{middle} ({form.format(min(values))} - {form.format(max(values))})"


def interval(values, statistic=median, draws=2000):
    """The statistic, and the bounds of 95 % of it in bootstrapped samples, which are the same each time."""
    draw = random.Random(1)
    drawn = sorted(statistic(draw.choices(values, k=len(values))) for _ in range(draws))
    return statistic(values), drawn[round(0.025 * draws)], drawn[round(0.975 * draws) - 1]


def ratios(values, references):
    """Pairs of the same round; a round without a reference has no ratio."""
    return [a / b for a, b in zip(values, references) if a is not None and b]


def print_table(title, header, rows):
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    print(f"\n{title}")
    for row in [header, ["-" * width for width in widths], *rows]:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


class Results:
    """All figures of one benchmark, kept by name and measure, in the order of the rounds."""

    def __init__(self, name):
        self._name = name
        self._values = {}

    def add(self, what, measure, value):
        if value is not None:
            self._values.setdefault(what, {}).setdefault(measure, []).append(value)

    def get(self, what, measure):
        return self._values.get(what, {}).get(measure, [])

    def write(self):
        """Writes results/NAME.json whole or not at all; returns its path."""
        os.makedirs(RESULTS, exist_ok=True)
        path = os.path.join(RESULTS, f"{self._name}.json")
        metrics = {
            f"{self._name}/{what}": {
                measure: {
                    "value": median(values),
                    "lower_value": min(values),
                    "upper_value": max(values),
                }
                for measure, values in measures.items()
            }
            for what, measures in self._values.items()
        }
        with open(path + ".tmp", "w", encoding="ascii") as file:
            json.dump(metrics, file, indent=1, sort_keys=True)
        os.replace(path + ".tmp", path)
        return path


def print_goals(goals):
    """{"in words": bool}; returns whether all were reached."""
    print()
    for words, reached in goals.items():
        print(f"  goal, {words}: {'reached' if reached else 'MISSED'}")
    return all(goals.values())
