#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Libraries that are loaded in each other's place by turns: whoever called tells which one ran, and
# no sample has the name of the other. They are made after the process was sampled for the first time.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/library.c" <<'C'
#include <time.h>
void SPIN(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 100;
	while (clock() < end)
		for (volatile int i = 0; i < 20000; i++)
			;
	__asm__ volatile("");
}
C
cat >"$tmp/reloader.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void *place;
static void load_and_run(const char *path, const char *name)
{
	void *library = dlopen(path, RTLD_NOW);
	void (*spin)(void) = library ? (void (*)(void))dlsym(library, name) : NULL;
	if (!spin)
		exit(1);
	if (!place)
		place = (void *)spin;
	if (place != (void *)spin)
		exit(2);
	spin();
	dlclose(library);
}
__attribute__((noinline)) static void with_a(void) { load_and_run("./a.so", "spin_a"); puts("a"); }
__attribute__((noinline)) static void with_b(void) { load_and_run("./b.so", "spin_b"); puts("b"); }
int main(void)
{
	puts("ready");
	while (access("a.so", R_OK) || access("b.so", R_OK))
		for (volatile int i = 0; i < 100000; i++)
			;
	for (;;) {
		for (int i = 0; i < 60; i++)
			with_a();
		for (int i = 0; i < 60; i++)
			with_b();
		for (int i = 0; i < 10; i++)
			i % 2 ? with_b() : with_a();
	}
}
C
flags="-O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls"
gcc $flags -o "$tmp/reloader" "$tmp/reloader.c"
(cd "$tmp" && exec stdbuf -oL ./reloader >"$tmp/reloads") &
pid=$!
started+=("$pid")
wait_for grep -q ready "$tmp/reloads"

top_start --json -p "$pid" -F 999 -i 0.25
wait_intervals 2
for one in a b; do
	gcc $flags -shared -fPIC -DSPIN="spin_$one" -o "$tmp/$one.new" "$tmp/library.c"
done
mv "$tmp/a.new" "$tmp/a.so"
mv "$tmp/b.new" "$tmp/b.so"
wait_for sh -c "[ \$(grep -c '^[ab]' '$tmp/reloads') -gt 140 ]"
wait_intervals 2
top_end
kill -0 "$pid" || fail "the two libraries were not loaded at one place"

check <<'PYTHON'
for one, other in (("a", "b"), ("b", "a")):
    expect_eq(f"samples of spin_{other} called with {one}",
              run.count(lambda sample: sample.has(f"with_{one}") and sample.has(f"spin_{other}")), 0)
    expect_at_least(f"samples of spin_{one}",
                    run.count(lambda sample: sample.has(f"with_{one}") and sample.has(f"spin_{one}")), 1)
replaced = run.count(lambda sample: any(frame["module"] == "[replaced]" for frame in sample.user))
expect_at_least("samples that may be of either", replaced, 1)
PYTHON
pass
