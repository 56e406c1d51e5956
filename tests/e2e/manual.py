# SPDX-License-Identifier: GPL-2.0-only
"""The options and synopses of --help, against what manual pages show.

    manual.py DIRECTORY COMMAND...    complains of what differs; the directory has "help-COMMAND", and
                                      "page-COMMAND" as man shows it, in very wide lines

A tag of a page is a line such as "-p, --pid PID[,PID...]" where text begins, and what is indented below it
explains it. Options of all commands are on the page of top alone, and record and serve say that they have two
of its sections.
"""

import re
import sys

TEXT, BODY = " " * 7, " " * 11
WITH_TOP = dict.fromkeys(("record", "serve"), ("What to sample", "How to sample"))
LACKS = {"serve": {"--user NAME", "--symbol-memory SIZE"}}  # of these sections
OF_ALL = ("-h", "--help", "--version")

complaints = []


def help_options(text):
    """(names, default or None) of each row."""
    rows = []
    for line in text.split("\n\nExamples:")[0].split("\n"):
        match = re.match(r"  (-\w, |    )?(--[a-z-]+)(\[=\w+\]| \S+)?(  .*|$)", line)
        if match:
            letter, name, value, rest = (part or "" for part in match.groups())
            rows.append([letter[:2].strip(), name + value, rest])
        elif rows and line.startswith(" " * 8):
            rows[-1][2] += " " + line.strip()
    for letter, name, rest in rows:
        rest = re.sub(r"\s+", " ", rest)
        default = (re.search(r"\(default ([^)]*)\)", rest)
                   or re.search(r'(\d+|(?<=")\w+(?=")|(?<=: )\w+)"?(?: \([^)]*\))? unless given', rest))
        yield {word for word in (letter, name) if word}, default and default.group(1)


def usages(text):
    """Lines of the synopsis of --help, without the name of the program before them."""
    lines = re.match(r"Usage:((?: +topstacks.*\n)+)", text).group(1)
    return [" ".join(line.split()) for line in lines.strip().split("\n")]


def page_tags(text, sections=None):
    """(names, explanation) of each tag, of all sections or of those named."""
    tags, section = [], None
    lines = text.split("\n")
    for line, below in zip(lines, lines[1:]):
        heading = re.match(r"(?:   )?(\w.*)$", line)
        if heading:
            section = heading.group(1)
        elif sections and section not in sections:
            continue
        elif re.match(TEXT + r"-(\w|-[a-z])", line) and below.startswith(BODY):
            tags.append([set(line.strip().split(", ")), ""])
        elif tags and (line.startswith(BODY) or not line):
            tags[-1][1] += line.strip() + " "
        else:
            tags.append([set(), ""])
    return [tag for tag in tags if tag[0]]


def says_default(explanation, default):
    """One of its sentences has this value, and says that it is the default."""
    value = r"(?<![\w.])" + re.escape(default) + r"(?![\w])"
    return any(re.search(value, sentence) and re.search("default|unless given", sentence)
               for sentence in re.split(r"(?<=[.;]) ", explanation))


def check_options(command, rows, tags):
    for names, default in rows:
        found = [tag for tag in tags if names <= tag[0]]
        if len(found) != 1:
            complaints.append(f"{command}: {len(found)} explanations of {' '.join(sorted(names))}")
        elif default and not says_default(found[0][1], default):
            complaints.append(f"{command}: the default of {' '.join(sorted(names))} is {default}")
    known = set().union(*(names for names, _ in rows))
    for name in sorted(set().union(*(tag[0] for tag in tags)) - known):
        complaints.append(f"{command}: --help has no {name}")


def of_top(command, own, tags):
    """Those of top's that the command has, too, and does not explain itself."""
    explained = set().union(*(names for names, _ in own)) | LACKS.get(command, set())
    return [tag for tag in tags if not tag[0] & explained]


def main():
    directory, commands = sys.argv[1], sys.argv[2:]
    read = lambda kind, command: open(f"{directory}/{kind}-{command}", encoding="utf-8").read()
    top = read("page", "top")
    for command in commands:
        text, page = read("help", command), read("page", command)
        rows, tags = list(help_options(text)), page_tags(page)
        if command != "top":
            rows = [row for row in rows if not row[0] <= set(OF_ALL)]
        if command in WITH_TOP:
            tags += of_top(command, tags, page_tags(top, WITH_TOP[command]))
        check_options(command, rows, tags)
        synopsis = " ".join(re.search(r"\nSYNOPSIS\n(.*?)\n[A-Z]", page, re.S).group(1).split())
        for usage in usages(text):
            if usage not in synopsis:
                complaints.append(f"{command}: the synopsis has no {usage}")
    print("\n".join(complaints))
    sys.exit(bool(complaints))


main()
