#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Names of functions and files that are not ASCII, however wide Python holds them, and one that is very long.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

unicode() {
	start_python unicode.py 100
	json -p "$pid" -F 999 -i 1 -d 2
	check "$output" <<'PYTHON'
truth = truths(args[0])
module = truth["file"].rsplit("/", 1)[1]
seen = {}
for sample in run.samples:
    for name, file in sample.chain:
        if file == module:
            seen[name] = seen.get(name, 0) + sample.count
for name in truth["names"]:
    expect_at_least(f"samples in {name}, of {sorted(seen)}", seen.pop(name, 0), run.enough(50))
long = [name for name in seen if name.startswith(truth["long"][:90])]
expect_eq("names that nobody has", [name for name in seen if name not in long], [])
expect_eq("functions with a long name", len(long), 1)
expect_at_least("samples in it", seen[long[0]], run.enough(50))
PYTHON

	top --folded -p "$pid" -F 499 -i 1 --once
	expect_status 0
	python3 - "$out" "$output" <<'PYTHON' || fail 'folded, a name is missing'
import json, sys
text = open(sys.argv[1], encoding="utf-8").read()
for line in open(sys.argv[2], encoding="utf-8"):
    if line.startswith("{"):
        for name in json.loads(line)["names"]:
            assert f";{name}_[p]" in text, (name, text[:1000])
PYTHON
	stop "$pid"
}
some_pythons unicode
pass
