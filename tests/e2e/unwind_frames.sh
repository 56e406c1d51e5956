#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions with large arrays on their stacks have their callers: 400 KB to 200 MB.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/frames.c" <<'C'
#include <string.h>
#include <unistd.h>

volatile unsigned sink;

__attribute__((noipa)) void leaf(char *array)
{
	unsigned n = 1;

	for (int i = 0; i < 3000; i++)
		n = n * 69069 + array[i];
	sink = n;
}

#define LARGE(name, bytes)                       \
	__attribute__((noipa)) void name(void)   \
	{                                        \
		char array[bytes];               \
                                                 \
		memset(array, 1, 3000);          \
		for (int i = 0; i < 20000; i++)  \
			leaf(array);             \
	}

LARGE(of_400_kb, 400000)
LARGE(of_800_kb, 800000)
LARGE(of_2_mb, 2000000)
LARGE(of_7_mb, 7000000)
LARGE(of_20_mb, 20 << 20)
LARGE(of_200_mb, 200000000)

int main(void)
{
	usleep(300000); /* until its tables are there */
	for (int i = 0; i < 3; i++) {
		of_400_kb();
		of_800_kb();
		of_2_mb();
		of_7_mb();
		of_20_mb();
		of_200_mb();
	}
	return 0;
}
C
gcc -O2 -g -o "$tmp/frames" "$tmp/frames.c" || fail "cannot compile"
ulimit -s unlimited || fail "no stack as large as that"
json -F 999 -- "$tmp/frames"
check <<'PYTHON'
for name in ("of_400_kb", "of_800_kb", "of_2_mb", "of_7_mb", "of_20_mb", "of_200_mb"):
    inside = [one for one in run.samples if one.has("leaf") and one.has(name)]
    expect_at_least(f"samples in {name}", sum(one.count for one in inside), 20)
    expect_eq(f"samples in {name} that are not below main", sum(one.count for one in inside if not (one.has("main") and one.has("_start"))), 0)
alone = sum(one.count for one in run.samples if one.has("leaf") and not one.has("main"))
expect_at_most("share without callers", alone / run.counted, 0.02)
PYTHON
pass
