// SPDX-License-Identifier: GPL-2.0-only
/*
 * events KIND NUMBER: makes NUMBER events of a kind, and does little else, so that their price is
 * measured.
 *
 *   page-faults   the first write to a page, in user mode
 *   getppid       one of the cheapest system calls
 *   calls         a call of do_nothing
 *
 * Each event happens below CALLERS functions, on one of 2^PATH_BITS call paths in turn. At the end
 * the program prints the CPU time that the kernel has billed the process for, profilers' interrupts
 * included: {"events": 400000, "cpu_s": 0.412345}
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAME	     __attribute__((noipa, noinline))
#define KEEP_FRAME() __asm__ volatile("" ::"r"(__builtin_frame_address(0)) : "memory")

#define CALLERS	   12
#define PATH_BITS  5
#define PAGE_BYTES 4096
#define NR_PAGES   512 /* are touched before they are given back */

static char *pages;

static FRAME void fault(uint32_t number)
{
	((volatile char *)pages)[(size_t)(number % NR_PAGES) * PAGE_BYTES] = 1;
	KEEP_FRAME();
}

static FRAME void call(uint32_t number)
{
#ifdef __x86_64__
	long result;

	(void)number;
	__asm__ volatile("syscall" : "=a"(result) : "a"(SYS_getppid) : "rcx", "r11", "memory");
#else
	(void)number;
	syscall(SYS_getppid);
#endif
	KEEP_FRAME();
}

static FRAME void do_nothing(uint32_t number)
{
	(void)number;
	KEEP_FRAME();
}

static FRAME void descend_left(void (*make_event)(uint32_t), uint32_t number, unsigned int levels);
static FRAME void descend_right(void (*make_event)(uint32_t), uint32_t number, unsigned int levels);

static inline __attribute__((always_inline)) void descend(void (*make_event)(uint32_t),
							  uint32_t number, unsigned int levels)
{
	if (!levels)
		make_event(number);
	else if (levels <= PATH_BITS && number >> (levels - 1) & 1)
		descend_right(make_event, number, levels - 1);
	else
		descend_left(make_event, number, levels - 1);
	KEEP_FRAME();
}

static FRAME void descend_left(void (*make_event)(uint32_t), uint32_t number, unsigned int levels)
{
	descend(make_event, number, levels);
}

static FRAME void descend_right(void (*make_event)(uint32_t), uint32_t number, unsigned int levels)
{
	descend(make_event, number, levels);
}

static void give_back_pages(void)
{
	if (madvise(pages, (size_t)NR_PAGES * PAGE_BYTES, MADV_DONTNEED)) {
		perror("madvise");
		exit(1);
	}
}

static void map_pages(void)
{
	pages = mmap(NULL, (size_t)NR_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED || madvise(pages, (size_t)NR_PAGES * PAGE_BYTES, MADV_NOHUGEPAGE)) {
		perror("pages");
		exit(1);
	}
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static void (*maker_of(const char *kind))(uint32_t)
{
	if (!strcmp(kind, "calls"))
		return do_nothing;
	return strcmp(kind, "getppid") ? fault : call;
}

static void make_events(const char *kind, uint32_t nr_events)
{
	void (*const make_event)(uint32_t) = maker_of(kind);
	uint32_t number;

	for (number = 0; number < nr_events; number++) {
		if (make_event == fault && number % NR_PAGES == 0)
			give_back_pages();
		descend(make_event, number, CALLERS);
	}
}

int main(int argc, char **argv)
{
	struct rusage usage;

	if (argc != 3) {
		fprintf(stderr, "usage: %s page-faults|getppid|calls NUMBER\n", argv[0]);
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	map_pages();
	make_events(argv[1], (uint32_t)strtoul(argv[2], NULL, 10));
	getrusage(RUSAGE_SELF, &usage);
	printf("{\"events\": %s, \"cpu_s\": %.6f}\n", argv[2],
	       seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime));
	return 0;
}
