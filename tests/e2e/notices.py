# SPDX-License-Identifier: GPL-2.0-only
"""notices.py ROOT: docs/notices.md has every notice of the sources.

A notice is known by its longest clause without what is put into it. Prints those that are not there.
"""

import re
import sys

STRINGS = r'((?:\s*(?:"(?:[^"\\]|\\.)*"|PRIu64|MAX_STACK))+)'
TABLES = (
    ("user/profile/quality.c", r"\[REMEDY_\w+\] =" + STRINGS, 12),
    ("user/profile/ledger.c", r"offsetof\(struct ledger, \w+\),\s*" + r'"[^"]*",\s*' + STRINGS, 4),
    ("user/capture/events/presets.c", r'",\s*("growth tells [^"]*"\s*"[^"]*")', 1),
    ("user/processes/attacher.c", r"\{E\w+," + STRINGS, 12),
    ("user/symbols/debug/debuginfod.c", r"\{E\w+," + STRINGS, 12),
    ("user/profile/ledger.c", r'\{("(?:lost|missing)\.\w+")', 9),
    ("user/views/summary.c", r'say\(row,\s*("(?:low|high|not )' + r'[^"]*")', 7),
)
STDERR = r"fprintf\(stderr,\s*" + STRINGS
FILES = ("actions/record", "actions/rename", "actions/repeat", "actions/source_lines", "run/command", "run/java_names",
         "run/notices")
# Of what is written as the program goes on, and is gone with the next line.
PASSING = ("recording, ", "\\r")


def text_of(literals):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"|PRIu64', literals))


def longest_clause(text):
    text = re.sub(r"^(lost|missing)\.", "", text.replace("topstacks: ", "").replace("\\n", ""))
    parts = re.split(r"%%|%[-.*0-9]*[a-z]+|%|[;:,(?]", text)
    return max(parts, key=len).strip()


def main():
    root = sys.argv[1]
    with open(f"{root}/docs/notices.md", encoding="utf-8") as file:
        document = re.sub(r"\s+", " ", file.read())
    missing = 0
    tables = [*TABLES, *((f"user/{name}.c", STDERR, 1) for name in FILES)]
    for path, pattern, least in tables:
        with open(f"{root}/{path}", encoding="utf-8") as file:
            found = [text_of(match.group(1)) for match in re.finditer(pattern, file.read())]
        if len(found) < least:
            print(f"{path}: {len(found)} notices found, there were {least}")
            missing += 1
        for text in found:
            part = longest_clause(text)
            if len(part) > 3 and not text.startswith(PASSING) and part not in document:
                print(f"{path}: {part}")
                missing += 1
    sys.exit(missing > 0)


main()
