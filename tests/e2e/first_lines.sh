#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The first report of a run with --lines has lines and inlined functions, or says that it lacks them.
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

cat >program.c <<'SOURCE'
#include <stdlib.h>
#include <time.h>
volatile unsigned sink;
static inline __attribute__((always_inline)) void inner(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink = sink * 3 + i;
}
__attribute__((noinline)) void outer(unsigned n)
{
	inner(n);
}
int main(int argc, char **argv)
{
	const time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 1);

	while (time(NULL) < end)
		outer(100000);
	return 0;
}
SOURCE
gcc -O2 -g -o program program.c || fail "cannot compile"
top --lines -i 1 -F 499 -o report -- ./program 4
expect_status 0
awk '/STACK, leaf/ { n++ } n == 1' report >first
grep -q 'outer (program' first || fail "no first report"
grep -q 'inner \[i\] (program\.c:[67])' first || grep -q 'lacks source lines' "$err" ||
	fail "no lines, and nothing is said"
pass
