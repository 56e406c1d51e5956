#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# PHP's functions, methods and closures, in the order in which they call each other, with C's functions among them
# that do; with --lines where they compute and where they call. PHP 7.4 and 8.4 come from tests/interpreters/fetch.
. "$(dirname "$0")/lib.sh"

workload=$root/tests/workloads/php/mixed.php

# line_of WORDS: of the comment in the workload.
line_of() {
	grep -n "// $1\$" "$workload" | cut -d: -f1
}

with_php() {
	local directory=$1 program=/usr/bin/$2 scripts
	scripts=$(mktemp -d "$directory/tmp/topstacks-e2e.XXXXXX")
	leftovers+=("$scripts")
	cp "$workload" "$scripts"
	chroot "$directory" "$program" -n "${scripts#"$directory"}/mixed.php" 60 >"$tmp/php" 2>&1 &
	pid=$!
	started+=("$pid")
	wait_ready "$pid" "$tmp/php"
	json --lines -p "$pid" -F 999 -i 2 --once
	stop "$pid"
	check "$(line_of "from area")" "$(line_of "from compare")" "$(line_of "from closure")" <<'PYTHON'
import collections

area, compare, closure = map(int, args)
callers = {
    "Shape::area": [["outer", "mixed.php"], ["{main}", "mixed.php"]],
    "Shape::compare": [["usort", "[php]"], ["sort_shapes", "mixed.php"], ["outer", "mixed.php"], ["{main}", "mixed.php"]],
    "{closure}": [["array_map", "[php]"], ["call_closure", "mixed.php"], ["outer", "mixed.php"], ["{main}", "mixed.php"]],
}
lines = {"Shape::area": area, "Shape::compare": compare, "{closure}": closure}
inner = [sample for sample in run.samples if sample.chain and sample.chain[0] == ["spin", "mixed.php"]]
number = sum(sample.count for sample in inner)
expect_at_least("samples", run.counted, run.enough(500))
expect_at_least("share of samples in spin", number / run.counted, 0.9)
right = collections.Counter()
for sample in inner:
    name = sample.chain[1][0]
    name = "{closure}" if "{closure" in name else name
    if name in callers and sample.chain[2:] == callers[name] and sample.interpreted[1].get("line") == lines[name]:
        right[name] += sample.count
expect_at_least(f"share with the right callers and lines, {right}", right.total() / number, 0.98)
expect_eq("callers", set(right), set(callers))
expect_at_least("share with whole stacks", run.whole / run.counted, 0.99)
PYTHON
}

nr_tried=0
for name in php7.4 php8.4; do
	if directory=$("$root/tests/interpreters/fetch" "$name" 2>"$err"); then
		echo "with $name"
		with_php "$directory" "$name"
		nr_tried=$((nr_tried + 1))
	else
		echo "not had here: $name"
	fi
done
[ "$nr_tried" -gt 0 ] || skip "no PHP is to be had"
pass
