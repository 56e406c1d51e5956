// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer
/*
 * counters PAGES NAPS [now]: makes events of a known number. The program waits for SIGUSR1 in one
 * sleep, or does not (now). Then touch_pages makes a page fault for each of PAGES, in user mode;
 * read_pages makes as many within a system call; nap sleeps NAPS times. The program prints these
 * numbers, with the kernel's own counts of its faults and sleeps: a rest that ends while it is
 * prepared is no sleep. The program sleeps once more: until SIGTERM, or not (now).
 */
#include "workload.h"

#include <fcntl.h>
#include <sys/mman.h>

#define PAGE_BYTES 4096

static char *map_pages(size_t nr_pages)
{
	char *pages = mmap(NULL, nr_pages * PAGE_BYTES + 1, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* A kernel without huge pages does not know the advice. */
	if (pages == MAP_FAILED ||
	    (madvise(pages, nr_pages * PAGE_BYTES, MADV_NOHUGEPAGE) && errno != EINVAL)) {
		perror("pages");
		exit(1);
	}
	return pages;
}

static FRAME void touch_pages(volatile char *pages, size_t nr_pages)
{
	size_t i;

	for (i = 0; i < nr_pages; i++)
		pages[i * PAGE_BYTES] = 1;
	KEEP_FRAME();
}

static FRAME void read_pages(char *pages, size_t nr_pages, int zeros)
{
	size_t i;

	for (i = 0; i < nr_pages; i++)
		raw_syscall(SYS_read, zeros, (long)(pages + i * PAGE_BYTES), 1);
	KEEP_FRAME();
}

static FRAME void nap(size_t nr_naps)
{
	const struct timespec rest = {.tv_nsec = 1000};

	for (; nr_naps; nr_naps--)
		raw_syscall(SYS_nanosleep, (long)&rest, 0, 0);
	KEEP_FRAME();
}

static struct rusage used(void)
{
	struct rusage usage;

	raw_syscall(SYS_getrusage, RUSAGE_SELF, (long)&usage, 0);
	return usage;
}

static long nr_faults(void)
{
	const struct rusage usage = used();

	return usage.ru_minflt + usage.ru_majflt;
}

static void wait_for(sigset_t *signals)
{
	siginfo_t info;

	while (sigwaitinfo(signals, &info) < 0 && errno == EINTR && !workload_stopped)
		;
}

int main(int argc, char **argv)
{
	const size_t nr_pages = (size_t)argument(argc, argv, 1, 1000);
	const size_t nr_naps = (size_t)argument(argc, argv, 2, 0);
	const bool now = argc > 3;
	char *touched = map_pages(nr_pages), *read = map_pages(nr_pages);
	const int zeros = open("/dev/zero", O_RDONLY);
	sigset_t signals;
	long faults, sleeps;

	workload_begin(WORKLOAD_MAX_SECONDS);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	if (!now) {
		workload_ready();
		wait_for(&signals);
	}
	faults = nr_faults();
	touch_pages(touched, nr_pages);
	read_pages(read, nr_pages, zeros);
	faults = nr_faults() - faults;
	sleeps = used().ru_nvcsw;
	nap(nr_naps);
	sleeps = used().ru_nvcsw - sleeps;
	printf("{\"pages\": %zu, \"faults\": %ld, \"sleeps\": %ld}\ndone\n", nr_pages, faults,
	       sleeps);
	fflush(stdout);
	if (!now)
		wait_for(&signals);
	return 0;
}
