# SPDX-License-Identifier: GPL-2.0-only
"""deep.py SECONDS: level_0() calls level_1(), which calls level_2(), to level_299(), which computes."""

import truth

LEVELS = 300


def spin_deep():
    total = 0
    while not truth.past(end):
        for i in range(200000):
            total += i * 3 % 7
    return total


end = truth.begin()
globals()["level_{}".format(LEVELS)] = spin_deep
for level in range(LEVELS):
    exec(compile("def level_{}(): return level_{}()".format(level, level + 1), __file__, "exec"))
truth.ready()
level_0()
