/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NAME MILLISECONDS [DIRECTORY [diskless]]: functions wait, each in a thread of its own and for
 * something else, and measure their waits themselves. This lasts from SIGUSR1 on for MILLISECONDS.
 * Files are made in DIRECTORY. "diskless" says that it is in memory, so that no function waits for
 * a disk. At the end the program prints:
 *	{"wait_pipe": {"kind": "pipe", "waits": 512, "switches": 509, "least_ns": 2001234567,
 *	 "most_ns": 2003456789}}
 *	...
 *
 * The time that a function was off the CPU is between least_ns and most_ns, on a busy machine, too.
 * most_ns is by the clock, from before the function is called until it has returned. least_ns is by
 * the clock within the function, less the CPU time meanwhile. switches is how often the thread gave
 * up its CPU in the function, as the kernel counts.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "gate.h"

#define PAGE_BYTES 4096
#define REST_NS	   (4 * MS) /* the mean */

struct waiter {
	const char *name, *kind;
	void (*prepare)(struct waiter *waiter); /* runs before each wait, and is not measured */
	void (*wait)(struct waiter *waiter);
	pthread_t thread;
	uint32_t random;
	uint64_t begin_ns, begin_cpu_ns;
	long begin_switches;
	uint64_t waits, least_ns, most_ns;
	long switches;
};

static uint64_t deadline;
static volatile bool finished;
static int pipe_ends[2], poll_ends[2], socket_ends[2];
static int file, direct_file, lock_files[2], faults;
static size_t nr_waiters;
static uint32_t futex_word;
static volatile char *far_page;
static char buffer[PAGE_BYTES] __attribute__((aligned(PAGE_BYTES)));

static inline __attribute__((always_inline)) void nap(uint64_t ns)
{
	const struct timespec rest = {.tv_nsec = (long)ns};

	raw_syscall(SYS_nanosleep, (long)&rest, 0, 0);
}

static inline __attribute__((always_inline)) long nr_voluntary(void)
{
	struct rusage usage;

	raw_syscall(SYS_getrusage, RUSAGE_THREAD, (long)&usage, 0);
	return usage.ru_nvcsw;
}

static inline __attribute__((always_inline)) void enter(struct waiter *waiter)
{
	waiter->begin_switches = nr_voluntary();
	waiter->begin_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	waiter->begin_ns = clock_ns(CLOCK_MONOTONIC);
}

static inline __attribute__((always_inline)) void leave(struct waiter *waiter)
{
	const uint64_t ns = clock_ns(CLOCK_MONOTONIC) - waiter->begin_ns;
	const uint64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - waiter->begin_cpu_ns;

	waiter->least_ns += ns > cpu_ns ? ns - cpu_ns : 0;
	waiter->switches += nr_voluntary() - waiter->begin_switches;
	waiter->waits++;
}

/* ---- functions that wait ---- */

static FRAME void wait_sleep(struct waiter *waiter)
{
	enter(waiter);
	nap(random_near(REST_NS, &waiter->random));
	leave(waiter);
	KEEP_FRAME();
}

static FRAME void wait_pipe(struct waiter *waiter)
{
	char byte;

	enter(waiter);
	raw_syscall(SYS_read, pipe_ends[0], (long)&byte, 1);
	leave(waiter);
	KEEP_FRAME();
}

static FRAME void wait_socket(struct waiter *waiter)
{
	char byte;

	enter(waiter);
	raw_syscall(SYS_read, socket_ends[0], (long)&byte, 1);
	leave(waiter);
	KEEP_FRAME();
}

static void empty_polled(struct waiter *waiter)
{
	char bytes[64];

	(void)waiter;
	while (read(poll_ends[0], bytes, sizeof(bytes)) > 0)
		;
}

static FRAME void wait_poll(struct waiter *waiter)
{
	struct pollfd polled = {.fd = poll_ends[0], .events = POLLIN};

	enter(waiter);
	raw_syscall4(SYS_ppoll, (long)&polled, 1, 0, 0);
	leave(waiter);
	KEEP_FRAME();
}

static FRAME void wait_futex(struct waiter *waiter)
{
	const uint32_t seen = __atomic_load_n(&futex_word, __ATOMIC_ACQUIRE);

	enter(waiter);
	raw_syscall4(SYS_futex, (long)&futex_word, FUTEX_WAIT_PRIVATE, seen, 0);
	leave(waiter);
	KEEP_FRAME();
}

static void unlock_file(struct waiter *waiter)
{
	(void)waiter;
	flock(lock_files[0], LOCK_UN);
	usleep(100);
}

static FRAME void wait_flock(struct waiter *waiter)
{
	enter(waiter);
	raw_syscall(SYS_flock, lock_files[0], LOCK_EX, 0);
	leave(waiter);
	KEEP_FRAME();
}

static int live_shortly(void *argument)
{
	struct waiter *waiter = argument;

	die_with_parent();
	nap(random_near(REST_NS, &waiter->random));
	return 0;
}

/*
 * Makes a child with the parent's memory. A copy would be made at faults, for which other threads
 * would wait.
 */
static void bear_child(struct waiter *waiter)
{
	static char stack[64 << 10] __attribute__((aligned(16)));

	if (clone(live_shortly, stack + sizeof(stack), CLONE_VM | SIGCHLD, waiter) < 0)
		exit(1);
}

static FRAME void wait_child(struct waiter *waiter)
{
	enter(waiter);
	raw_syscall4(SYS_wait4, -1, 0, 0, 0);
	leave(waiter);
	KEEP_FRAME();
}

static void forget_page(struct waiter *waiter)
{
	(void)waiter;
	madvise((void *)far_page, PAGE_BYTES, MADV_DONTNEED);
}

static FRAME void wait_fault(struct waiter *waiter)
{
	enter(waiter);
	*far_page = 1;
	leave(waiter);
	KEEP_FRAME();
}

static void change_file(struct waiter *waiter)
{
	usleep(1000);
	buffer[0]++;
	if (pwrite(file, buffer, sizeof(buffer), (off_t)(waiter->waits % 64) * PAGE_BYTES) < 0)
		exit(1);
}

static FRAME void wait_fsync(struct waiter *waiter)
{
	enter(waiter);
	raw_syscall(SYS_fsync, file, 0, 0);
	leave(waiter);
	KEEP_FRAME();
}

static void rest_shortly(struct waiter *waiter)
{
	(void)waiter;
	usleep(1000);
}

static FRAME void wait_write(struct waiter *waiter)
{
	enter(waiter);
	raw_syscall4(SYS_pwrite64, direct_file, (long)buffer, sizeof(buffer), 0);
	leave(waiter);
	KEEP_FRAME();
}

static struct waiter waiters[] = {
	{.name = "wait_sleep", .kind = "sleep", .wait = wait_sleep},
	{.name = "wait_pipe", .kind = "pipe", .wait = wait_pipe},
	{.name = "wait_socket", .kind = "net", .wait = wait_socket},
	{.name = "wait_poll", .kind = "poll", .prepare = empty_polled, .wait = wait_poll},
	{.name = "wait_futex", .kind = "lock", .wait = wait_futex},
	{.name = "wait_flock", .kind = "lock", .prepare = unlock_file, .wait = wait_flock},
	{.name = "wait_child", .kind = "child", .prepare = bear_child, .wait = wait_child},
	{.name = "wait_fault", .kind = "fault", .prepare = forget_page, .wait = wait_fault},
	{.name = "wait_fsync", .kind = "disk", .prepare = change_file, .wait = wait_fsync},
	{.name = "wait_write", .kind = "disk", .prepare = rest_shortly, .wait = wait_write},
};
#define NR_WAITERS (sizeof(waiters) / sizeof(waiters[0]))
#define FOR_DISK   2 /* the last ones */

static FRAME void *run_waiter(void *argument)
{
	struct waiter *waiter = argument;

	while (!past(deadline)) {
		uint64_t begin_ns;

		if (waiter->prepare)
			waiter->prepare(waiter);
		begin_ns = clock_ns(CLOCK_MONOTONIC);
		waiter->wait(waiter);
		waiter->most_ns += clock_ns(CLOCK_MONOTONIC) - begin_ns;
	}
	return NULL;
}

/* ---- threads that end waits ---- */

static void *run_waker(void *argument)
{
	uint32_t random = 17;

	(void)argument;
	while (!finished) {
		nap(random_near(REST_NS, &random));
		if (write(pipe_ends[1], "", 1) < 0 || write(socket_ends[1], "", 1) < 0 ||
		    write(poll_ends[1], "", 1) < 0)
			exit(1);
		__atomic_add_fetch(&futex_word, 1, __ATOMIC_RELEASE);
		raw_syscall(SYS_futex, (long)&futex_word, FUTEX_WAKE_PRIVATE, 1);
	}
	return NULL;
}

static void *run_locker(void *argument)
{
	uint32_t random = 23;

	(void)argument;
	while (!finished) {
		flock(lock_files[1], LOCK_EX);
		nap(random_near(REST_NS, &random));
		flock(lock_files[1], LOCK_UN);
		nap(MS / 5);
	}
	return NULL;
}

static void *run_pager(void *argument)
{
	uint32_t random = 29;
	struct pollfd fault = {.fd = faults, .events = POLLIN};
	struct uffd_msg message;

	(void)argument;
	while (!finished) {
		struct uffdio_copy page = {
			.dst = (uintptr_t)far_page, .src = (uintptr_t)buffer, .len = PAGE_BYTES};

		if (poll(&fault, 1, 50) <= 0 || read(faults, &message, sizeof(message)) < 0)
			continue;
		nap(random_near(REST_NS, &random));
		ioctl(faults, UFFDIO_COPY, &page);
	}
	return NULL;
}

static void *(*const helpers[])(void *) = {run_waker, run_locker, run_pager};
#define NR_HELPERS (sizeof(helpers) / sizeof(helpers[0]))

/* ---- the program ---- */

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(1);
}

static void open_fault_page(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register page = {.range.len = PAGE_BYTES,
				       .mode = UFFDIO_REGISTER_MODE_MISSING};

	far_page =
		mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(far_page != MAP_FAILED, "page");
	page.range.start = (uintptr_t)far_page;
	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	must(faults >= 0 && !ioctl(faults, UFFDIO_API, &api) &&
		     !ioctl(faults, UFFDIO_REGISTER, &page),
	     "userfaultfd");
}

static int open_file(const char *directory, const char *name, int flags)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0600);
	must(fd >= 0, path);
	return fd;
}

static void open_all(const char *directory)
{
	must(!pipe2(pipe_ends, O_CLOEXEC) && !pipe2(poll_ends, O_CLOEXEC | O_NONBLOCK), "pipe");
	must(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socket_ends), "socketpair");
	file = open_file(directory, "synced", 0);
	lock_files[0] = open_file(directory, "locked", 0);
	lock_files[1] = open_file(directory, "locked", 0);
	open_fault_page();
}

static void open_disk(const char *directory)
{
	direct_file = open_file(directory, "direct", O_DIRECT);
	must(pwrite(direct_file, buffer, sizeof(buffer), 0) > 0, "direct write");
}

static void start(pthread_t *thread, void *(*run)(void *), void *argument)
{
	must(!pthread_create(thread, NULL, run, argument), "thread");
}

static void run_all(uint64_t ns)
{
	pthread_t threads[NR_HELPERS];

	deadline = clock_ns(CLOCK_MONOTONIC) + ns;
	for (size_t i = 0; i < NR_HELPERS; i++)
		start(&threads[i], helpers[i], NULL);
	for (size_t i = 0; i < nr_waiters; i++) {
		waiters[i].random = 1000 + (uint32_t)i;
		start(&waiters[i].thread, run_waiter, &waiters[i]);
	}
	for (size_t i = 0; i < nr_waiters; i++)
		pthread_join(waiters[i].thread, NULL);
	finished = true;
	flock(lock_files[0], LOCK_UN);
	for (size_t i = 0; i < NR_HELPERS; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	const uint64_t ns = (uint64_t)(argument(argc, argv, 1, 1000) * MS);

	const char *directory = argc > 2 ? argv[2] : ".";
	const bool diskless = argc > 3;

	gate_close();
	open_all(directory);
	if (!diskless)
		open_disk(directory);
	nr_waiters = NR_WAITERS - (diskless ? FOR_DISK : 0);
	workload_ready();
	gate_rest();
	run_all(ns);
	for (size_t i = 0; i < nr_waiters; i++)
		printf("{\"%s\": {\"kind\": \"%s\", \"waits\": %llu, \"switches\": %ld, "
		       "\"least_ns\": "
		       "%llu, \"most_ns\": %llu}}\n",
		       waiters[i].name, waiters[i].kind, (unsigned long long)waiters[i].waits,
		       waiters[i].switches, (unsigned long long)waiters[i].least_ns,
		       (unsigned long long)waiters[i].most_ns);
	gate_done();
	return 0;
}
