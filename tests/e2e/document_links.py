# SPDX-License-Identifier: GPL-2.0-only
"""Links of documents that lead nowhere: to files that are not there, or to sections that they have not.

    document_links.py FILE...    prints one a line, and fails if there is one
"""

import os
import re
import sys


def anchors(path):
    """The names that a web page gives to the headings of a document."""
    text = re.sub(r"^```.*?^```", "", open(path, encoding="utf-8").read(), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower().strip()).replace(" ", "-") for heading in headings}


def dead_links(path):
    text = open(path, encoding="utf-8").read()
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:", link):
            continue
        name, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(target) or (anchor and anchor not in anchors(target)):
            yield link


def main():
    dead = [f"{path}: {link}" for path in sys.argv[1:] for link in dead_links(path)]
    print("\n".join(dead))
    sys.exit(bool(dead))


main()
