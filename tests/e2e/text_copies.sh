#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program that copies its text to other memory, at the text's own addresses, as those do that want it on huge pages, has the
# same names, lines and callers as before: whichever way it is done, however much is copied, and whoever linked it.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/copies.c" <<'C'
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

volatile unsigned sink;

__attribute__((noipa, aligned(4096))) void hot(void)
{
	unsigned n = 1;

	for (int i = 0; i < 3000; i++)
		n = n * 69069 + (n >> 7);
	sink = n;
}

__attribute__((noipa)) void outer(double seconds)
{
	struct timespec a, b;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
	do {
		for (int i = 0; i < 100; i++)
			hot();
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
	} while (b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) / 1e9 < seconds);
}

static char *text, *end, *head; /* pages of the segment that holds hot, and the file's first */

static int find_text(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		char *at = (char *)(info->dlpi_addr + header->p_vaddr);

		if (header->p_type == PT_LOAD && !header->p_offset)
			head = (char *)((unsigned long)at & -4096UL);
		if (header->p_type == PT_LOAD && header->p_flags & PF_X) {
			text = (char *)((unsigned long)at & -4096UL);
			end = (char *)(((unsigned long)at + header->p_memsz + 4095) & -4096UL);
		}
	}
	return 1;
}

int main(int argc, char **argv)
{
	char *from;
	size_t size;

	(void)argc;
	dl_iterate_phdr(find_text, NULL);
	from = !strcmp(argv[2], "page") ? (char *)hot : !strcmp(argv[2], "wide") ? head : text;
	size = !strcmp(argv[2], "page") ? 4096 : (size_t)(end - from);
	char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(copy, from, size);
	if (!strcmp(argv[1], "move")) {
		usleep(200000); /* so that nobody hears of it */
		if (mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, from) == MAP_FAILED)
			return 1;
	} else if (!strcmp(argv[1], "memfd")) {
		int fd = memfd_create("text", 0);

		if (write(fd, copy, size) != (ssize_t)size ||
		    mmap(from, size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
			return 1;
	} else {
		void *(*map)(void *, size_t, int, int, int, off_t) = mmap;
		void *(*copy_to)(void *, const void *, size_t) = memcpy;

		if (strcmp(argv[2], "page")) /* then this code, too, is there only once it is */
			return 2;
		map(from, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		copy_to(from, copy, size);
		mprotect(from, size, PROT_READ | PROT_EXEC);
	}
	outer(0.05); /* until it is known what is there now */
	usleep(500000);
	outer(0.4);
	return 0;
}
C

# expect_text PROGRAM: whoever runs in hot is below main; at lines of it.
expect_text() {
	check "$1" <<-'PYTHON'
		hot = sum(one.count for one in run.samples if one.has("hot"))
		expect_at_least("samples in hot", hot, 100)
		below = sum(one.count for one in run.samples if one.has("hot") and one.has("outer") and one.has("main") and one.has("_start"))
		expect_at_least("of them below main", below, 0.75 * hot)
		modules = {frame.get("module") for one in run.samples for frame in one.frames if frame.get("function") in ("hot", "outer", "main")}
		expect_eq("modules", modules, {args[0]})
		lines = {frame.get("line") for one in run.samples for frame in one.frames if frame.get("function") == "hot" and frame.get("line")}
		expect(lines and lines <= set(range(12, 20)), f"lines {lines}")
		unnamed = sum(one.count for one in run.samples if one.user and not one.user[0].get("function"))
		expect_at_most("share without a name", unnamed / run.counted, 0.02)
	PYTHON
}

# run_copies PROGRAM HOW MUCH
run_copies() {
	json -F 999 --lines -- "$tmp/$1" "$2" "$3"
	expect_text "$1"
}

gcc -O2 -g -o "$tmp/copies" "$tmp/copies.c" || fail "cannot compile"
gcc -O2 -g -no-pie -o "$tmp/copies-fixed" "$tmp/copies.c" || fail "cannot compile"
run_copies copies move page
run_copies copies-fixed move wide
run_copies copies memfd segment
run_copies copies fixed page
# Its code is elsewhere in memory than in the file.
if command -v ld.lld >/dev/null; then
	gcc -O2 -g -fuse-ld=lld -o "$tmp/copies-lld" "$tmp/copies.c" || fail "cannot compile"
	run_copies copies-lld move segment
	run_copies copies-lld memfd page
fi
pass
