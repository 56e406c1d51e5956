# SPDX-License-Identifier: GPL-2.0-only
"""Commands that people are told to type: those of indented and fenced blocks of documents, and of --help.

    document_commands.py FILE...    prints one a line: "run" or why not, the place, the command

A line is a command if it begins with one of FIRST_WORDS. What is not run has a row in NOT_RUN: a command
that has none is run, or fails the test.
"""

import re
import sys

FIRST_WORDS = re.compile(r"(\$ )?(sudo |\./|topstacks |make\b|scripts/|for |bencher |build/|git )")

NOT_RUN = (
    ("shows what is printed", r"^\S+ topstacks( {2}| cannot)"),
    ("shows the syntax", r"\[OPTION|\[-p PID|\[--json\]|\[COMMAND\]|\[PATTERN\]|--completion SHELL"),
    ("is a recipe, which ci_recipe.sh runs", r"^ci\.md:"),
    ("changes the machine", r" sudo (setcap|groupadd|chgrp|chmod|usermod|apt-get|make install|systemctl|sysctl)"),
    ("probes a program of the reader's", r" uprobe:\./server:"),
    ("asks servers, as debuginfod.sh does", r" --debuginfod"),
    ("asks a server, as last.sh does", r"^\S+ topstacks last\b"),
    ("is done as it says by leaks.sh", r"^leaks\.md:"),
    ("is done in a container, as container.sh does", r"^containers\.md:"),
    ("serves, or asks who does, as serve.sh and last.sh do", r"^serve\.md:| (\./)?topstacks (serve|last)( |$)"),
    ("builds or tests, as other tests do", r"^\S+ (sudo )?(make\b|scripts/|tests/)"),
)


def lines_of_blocks(text):
    """The lines of blocks, with their numbers; a line that ends in a backslash has the next one with it."""
    fenced, before, number, joined = False, "", 0, ""
    for line in text.split("\n"):
        number += 1
        if line.startswith("```"):
            fenced = not fenced
            continue
        inside = fenced or line.startswith("    ")
        if joined or inside:
            joined += line.strip()
            if joined.endswith("\\"):
                joined = joined[:-1]
                continue
            yield number, joined
            joined = ""


def help_examples(text):
    """The lines below "Examples:" of a --help."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        inside = line.startswith("Examples:") or (inside and line != "")
        if inside and line.startswith("  "):
            yield number, line.strip()


def main():
    for path in sys.argv[1:]:
        text = open(path, encoding="utf-8").read()
        lines = lines_of_blocks(text) if path.endswith(".md") else help_examples(text)
        for number, line in lines:
            if not FIRST_WORDS.match(line):
                continue
            command = re.sub(r"^\$ ", "", re.sub(r"\s{2,}#.*$", "", line))
            place = f"{path.rsplit('/', 1)[-1]}:{number}"
            why = next((why for why, pattern in NOT_RUN if re.search(pattern, f"{place} {line}")), "run")
            print(f"{why}\t{place}\t{command}")


main()
