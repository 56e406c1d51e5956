# SPDX-License-Identifier: GPL-2.0-only
"""
unicode.py SECONDS: functions whose names need one, two and four bytes a character, or are very long, in a file with such a
name. Tells their names.
"""

import truth

# Latin-1, UCS-2 and UCS-4, as Python holds them; and all of these in one.
NAMES = ("gr\u00f6\u00dfe_\u00e9t\u00e9", "\u0447\u0438\u0441\u043b\u043e_\u6570", "\U00020000\U00020001_ab", "a\u00e9\u0447\U00020000")
LONG = "long_" + "name_" * 60
FILE = "/of/text/fil\u00e9_\u0444\u0430\u0439\u043b_\U00020000.py"
SOURCE = """
def {0}():
    total = 0
    for i in range(20000): total += i * 3 % 7
    return total
"""


def main():
    end = truth.begin()
    functions = []
    for name in NAMES + (LONG,):
        namespace = {}
        exec(compile(SOURCE.format(name), FILE, "exec"), namespace)
        functions.append(namespace[name])
    truth.tell(names=NAMES, long=LONG, file=FILE)
    truth.ready()
    while not truth.past(end):
        for function in functions:
            function()


main()
