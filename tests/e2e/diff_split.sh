#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# diff: a function that was split in two, one of which it ends by, moved its work; nobody is slower. If the new ones do more
# than it did, the gate fails.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/split.c" <<'C'
#include <stdlib.h>

volatile unsigned sink;

__attribute__((noipa)) void mix(int times)
{
	unsigned n = sink;

	for (int i = 0; i < 2000 * times; i++)
		n = n * 69069 + 1;
	sink = n;
}

#ifdef SPLIT
__attribute__((noipa)) void head(int times)
{
	for (int i = 0; i < 6; i++)
		mix(times);
	sink++;
}

__attribute__((noipa)) void tail(int times)
{
	for (int i = 0; i < SPLIT; i++)
		mix(times);
	sink++;
}

__attribute__((noipa)) void pack(int times)
{
	head(times);
	tail(times);
}
#else
__attribute__((noipa)) void pack(int times)
{
	for (int i = 0; i < 10; i++)
		mix(times);
	sink++;
}
#endif

__attribute__((noipa)) void scan(int times)
{
	unsigned n = sink;

	for (int i = 0; i < 30000 * times; i++)
		n = n * 1664525 + 7;
	sink = n;
}

int main(void)
{
	for (int i = 0; i < 3000; i++) {
		pack(1);
		scan(1);
	}
	return 0;
}
C
mkdir "$tmp/whole" "$tmp/split" "$tmp/slower"
compile() { # directory, option
	gcc -O2 $2 -o "$tmp/$1/prog" "$tmp/split.c" || fail "cannot compile"
}
compile whole ""
compile split -DSPLIT=4
compile slower -DSPLIT=10
for i in 1 2 3; do
	for side in whole split slower; do
		top record -q -F 4999 -o "$tmp/$side$i.pb.gz" -- "$tmp/$side/prog"
		expect_status 0
	done
done
compare() { # side, exit status
	top diff --per share "$tmp"/whole[123].pb.gz --against "$tmp/$1"[123].pb.gz --format json
	expect_status "$2"
	cp "$out" "$tmp/$1.json"
}
compare split 0
compare slower 1
python3 - "$tmp/split.json" "$tmp/slower.json" <<'PYTHON' || fail "see above"
import json, sys
split, slower = (json.load(open(path))["units"] for path in sys.argv[1:])
def totals(units):
    return {unit["name"]: unit for unit in units if unit["kind"] == "total"}
for name in ("head", "tail"):
    unit = totals(split)[name]
    assert unit["verdict"] == "regressed" and unit["moved"] and unit["moved_with"] == "pack", unit
unit = totals(split)["pack"]
assert unit["verdict"] == "improved" and unit["moved"] and unit["moved_with"] == "tail", unit
unit = totals(slower)["tail"]
assert unit["verdict"] == "regressed" and unit["fails"], unit
PYTHON
pass
