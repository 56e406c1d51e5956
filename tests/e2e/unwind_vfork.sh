#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The parent of a vfork waits where its return address is in a register, as the child has its stack: the walk goes on, with
# glibc's call frame information, in a static program, in a handler of a signal, and in musl, which has none. So it does in
# the parent of a posix_spawn(), a system() and a popen(), which wait in clone3(), behind the end of its information.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/vfork.c" <<'C'
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noipa)) void run(void)
{
	pid_t child = vfork();

	if (!child) {
		usleep(20000);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

__attribute__((noipa)) void on_signal(int number)
{
	run();
	signal(number, on_signal);
}

int main(int argc, char **argv)
{
	usleep(500000); /* until its tables are there */
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < 40; i++)
		argc > 1 ? (void)raise(SIGUSR1) : run();
	return 0;
}
C

cat >"$tmp/spawn.c" <<'C'
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noipa)) void spawn(void)
{
	char *command[] = {"true", NULL};
	pid_t child;

	if (!posix_spawnp(&child, command[0], NULL, NULL, command, NULL))
		waitpid(child, NULL, 0);
}

__attribute__((noipa)) int run(const char *command)
{
	FILE *file = popen(command, "r");

	return system(command) + pclose(file);
}

int main(void)
{
	usleep(500000); /* until its tables are there */
	for (int i = 0; i < 20; i++) {
		spawn();
		run("true");
	}
	return 0;
}
C

# expect_callers NAME...: they are in each stack that waits in vfork.
expect_callers() {
	check "$@" <<-'PYTHON'
		waits = [Sample(one) for one in run.intervals[0]["samples"]]
		waits = [wait for wait in waits if wait.has("vfork") or wait.has("__vfork") or wait.has("__libc_vfork")]
		expect_at_least("waits", sum(wait.count for wait in waits), 30)
		for wait in waits:
		    for name in args:
		        expect(wait.has(name), f"no {name} in {wait.functions}")
	PYTHON
}

gcc -O2 -g -o "$tmp/vfork" "$tmp/vfork.c" || fail "cannot compile"
gcc -O2 -g -static -o "$tmp/static" "$tmp/vfork.c" || fail "cannot compile"
for program in vfork static; do
	json -e off-cpu -- "$tmp/$program"
	expect_callers run main _start
	json -e off-cpu -- "$tmp/$program" in-handler
	expect_callers run on_signal main _start
done
gcc -O2 -g -o "$tmp/spawn" "$tmp/spawn.c" || fail "cannot compile"
gcc -O2 -g -static -o "$tmp/static" "$tmp/spawn.c" || fail "cannot compile"
for program in spawn static; do
	json -e off-cpu -- "$tmp/$program"
	check <<-'PYTHON'
		waits = [Sample(one) for one in run.intervals[0]["samples"]]
		waits = [wait for wait in waits if wait.has("kernel_clone")]
		expect_at_least("waits", sum(wait.count for wait in waits if wait.has("spawn")), 15)
		expect_at_least("waits", sum(wait.count for wait in waits if wait.has("run")), 30)
		for wait in waits:
		    expect(wait.has("main") and wait.has("_start"), f"no main in {wait.functions}")
	PYTHON
done
if command -v musl-gcc >/dev/null; then
	musl-gcc -O2 -g -o "$tmp/musl" "$tmp/vfork.c" || fail "cannot compile"
	json -e off-cpu -- "$tmp/musl"
	expect_callers run main
fi
pass
