#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Short compiler runs: processes that are gone at the drain are still named by module.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/one.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }
int main(int argc, char **argv)
{
	qsort(argv, (size_t)argc, sizeof(*argv), compare);
	for (int i = 0; i < argc; i++)
		printf("%s\n", argv[i]);
	return 0;
}
C
cat >"$tmp/loop" <<'LOOP'
#!/bin/sh
for i in $(seq 40); do
	gcc -O1 -c -o "$1/one.o" "$1/one.c" || exit 1
done
LOOP
chmod +x "$tmp/loop"

named() {
	check <<'PYTHON'
from datetime import datetime
expect_at_least("samples", run.counted, 100)
named = run.count(lambda sample: all(frame["module"] for frame in sample.user))
expect_at_least("share with every frame named by module", named / run.counted, 0.95)
at = [datetime.fromisoformat(i["time"].replace("Z", "+00:00")).timestamp() for i in run.intervals]
for before, after, interval in zip(at, at[1:], run.intervals[1:]):
    expect_near("time between ends of intervals, s", after - before, interval["duration_s"], 0.05)
compiler = run.count(lambda sample: sample.comm == "cc1")
expect_at_least("share of the compiler proper", compiler / run.counted, 0.3)
PYTHON
}
json -F 999 -i 0.5 -- "$tmp/loop" "$tmp"
named

# A loop that was running before.
"$tmp/loop" "$tmp" &
loop=$!
started+=("$loop")
json -p "$loop" -F 999 -i 0.5 -d 20
named
pass
