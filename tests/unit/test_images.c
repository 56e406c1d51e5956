// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time line of processes is tested with made-up events of pids that cannot exist, and with
 * children that obey the test.
 */
#include "processes/images.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/time_budget.h"
#include "expect.h"
#include "long_maps.h"
#include "processes.h"
#include "processes/mapped_files.h"
#include "processes/mappings.h"
#include "processes/procfs.h"
#include "processes/roots.h"

#define PID    0x40000000 /* above every pid_max */
#define SECOND 1000000000ULL

static struct mapped_files all_files, *files = &all_files;
static size_t no_images_bytes; /* the memory taken while there are none */
static struct roots all_roots, *roots = &all_roots;
static struct images all_images, *images = &all_images;

static void begin_within(size_t max_bytes)
{
	mapped_files__init(files, NULL);
	roots__init(roots);
	images__init(images, files, roots, max_bytes, NULL);
	no_images_bytes = images__memory_bytes(images);
}

static void begin(void)
{
	begin_within(SIZE_MAX);
}

static bool knows_any(void)
{
	return images__memory_bytes(images) > no_images_bytes;
}

static size_t memory_bytes(void)
{
	return images__memory_bytes(images) + mapped_files__memory_bytes(files);
}

static void end(void)
{
	images__fini(images);
	roots__fini(roots);
	mapped_files__forget(files, 1);
	EXPECT_EQ(files->bytes, 0); /* no reference was kept */
	mapped_files__fini(files);
}

/* ---- events and questions ---- */

static void tell(enum process_event_type type, int32_t pid, uint64_t time_ns)
{
	const struct process_event event = {.type = type, .pid = pid, .time_ns = time_ns};

	images__observe(images, &event);
}

static void tell_fork(int32_t pid, int32_t parent, uint64_t time_ns)
{
	const struct process_event event = {
		.type = PROCESS_FORKED, .pid = pid, .parent = parent, .time_ns = time_ns};

	images__observe(images, &event);
}

static void tell_map(int32_t pid, uint64_t time_ns, uint64_t start, const char *path)
{
	const struct process_event event = {
		.type = PROCESS_MAPPED,
		.pid = pid,
		.time_ns = time_ns,
		.mapping = {.start = start, .end = start + 0x1000, .inode = 1, .path = path},
	};

	images__observe(images, &event);
}

static struct image *find(int32_t pid, uint64_t start_ns, uint64_t seen_ns)
{
	const struct process process = {.pid = pid, .start_ns = start_ns, .seen_ns = seen_ns};

	return images__find(images, &process);
}

static const char *path_in(const struct image *image, uint64_t address)
{
	const struct mapped_area *area = image ? mappings__find(image->mappings, address) : NULL;

	return area ? area->file->mapping.path : NULL;
}

static const char *path_at(int32_t pid, uint64_t seen_ns, uint64_t address)
{
	return path_in(find(pid, 5 * SECOND, seen_ns), address);
}

/* ---- made-up processes ---- */

static void test_exec(void)
{
	begin();
	tell(PROCESS_EXECED, PID, 100);
	tell_map(PID, 101, 0x400000, "/a");
	tell_map(PID, 150, 0x600000, "/late");
	tell(PROCESS_EXECED, PID, 200);
	tell_map(PID, 201, 0x400000, "/b");
	EXPECT_STR(path_at(PID, 99, 0x400000), NULL);
	EXPECT_STR(path_at(PID, 100, 0x400000), "/a");
	EXPECT_STR(path_at(PID, 199, 0x400000), "/a");
	EXPECT_STR(path_at(PID, 199, 0x600000), "/late");
	EXPECT_STR(path_at(PID, 200, 0x400000), "/b");
	EXPECT_STR(path_at(PID, 1000, 0x400fff), "/b");
	EXPECT_STR(path_at(PID, 1000, 0x600000), NULL);
	EXPECT_STR(path_at(PID + 1, 150, 0x400000), NULL);
	EXPECT(find(PID, 5 * SECOND, 150) == find(PID, 5 * SECOND, 151));
	EXPECT(find(PID, 5 * SECOND, 150) != find(PID, 5 * SECOND, 250));
	end();
}

static void expect_times(uint64_t address, uint64_t mapped_ns, uint64_t replaced_ns)
{
	const struct mapped_area *area =
		mappings__find(find(PID, 5 * SECOND, 1000)->mappings, address);

	EXPECT_EQ(area->mapped_ns, mapped_ns);
	EXPECT_EQ(area->replaced_ns, replaced_ns);
}

static void test_replaced(void)
{
	begin();
	tell(PROCESS_EXECED, PID, 100);
	tell_map(PID, 110, 0x400000, "/a");
	tell_map(PID, 120, 0x400000, "/a"); /* its protection changed */
	tell_map(PID, 130, 0x401000, "/beside");
	expect_times(0x400000, 110, 0);
	expect_times(0x401000, 130, 0);
	tell_map(PID, 140, 0x400800, "/b"); /* over a part of both */
	expect_times(0x4007ff, 110, 0);
	expect_times(0x400800, 140, 140);
	expect_times(0x401800, 130, 0);
	tell_map(PID, 150, 0x400800, "/b");
	expect_times(0x400800, 140, 140);
	tell_map(PID, 160, 0x500000, "//anon");
	tell_map(PID, 170, 0x500800, "//anon"); /* has no offset that could differ */
	expect_times(0x500800, 160, 0);
	end();
}

/* An image in doubt is another one as soon as all samples are younger than the mappings. */
static void test_version_after_mapping(void)
{
	struct image *image;
	uint64_t serial;

	begin();
	tell(PROCESS_EXECED, PID, 100);
	tell_map(PID, 101, 0x400000, "/a");
	find(PID, 5 * SECOND, 150);
	tell_map(PID, 200, 0x400000, "/b");
	image = find(PID, 5 * SECOND, 150);
	serial = image->serial;
	EXPECT_EQ(find(PID, 5 * SECOND, 200)->serial, serial);
	EXPECT_EQ(find(PID, 5 * SECOND, 201)->serial, serial + 1);
	EXPECT_EQ(find(PID, 5 * SECOND, 300)->serial, serial + 1);
	end();
}

static void test_fork(void)
{
	begin();
	tell(PROCESS_EXECED, PID, 100);
	tell_map(PID, 101, 0x400000, "/a");
	tell_fork(PID + 1, PID, 200);
	tell_map(PID, 210, 0x400000, "/parent");
	tell_map(PID + 1, 220, 0x500000, "/child");
	tell_fork(PID + 2, PID + 1, 230);
	EXPECT_STR(path_at(PID, 300, 0x400000), "/parent");
	EXPECT_STR(path_at(PID, 300, 0x500000), NULL);
	EXPECT_STR(path_at(PID + 1, 199, 0x400000), NULL);
	EXPECT_STR(path_at(PID + 1, 300, 0x400000), "/a");
	EXPECT_STR(path_at(PID + 1, 300, 0x500000), "/child");
	EXPECT_STR(path_at(PID + 2, 300, 0x500000), "/child");
	tell(PROCESS_EXECED, PID + 2, 400);
	tell_map(PID + 2, 401, 0x400000, "/new");
	EXPECT_STR(path_at(PID + 2, 399, 0x400000), "/a");
	EXPECT_STR(path_at(PID + 2, 401, 0x400000), "/new");
	EXPECT_STR(path_at(PID + 2, 401, 0x500000), NULL);
	EXPECT_STR(path_at(PID + 1, 401, 0x400000), "/a");
	end();
}

/* The parent has gone on to another program before we hear of its child. */
static void test_fork_before_exec(void)
{
	begin();
	tell(PROCESS_EXECED, PID, 100);
	tell_map(PID, 101, 0x400000, "/a");
	tell(PROCESS_EXECED, PID, 300);
	tell_map(PID, 301, 0x400000, "/b");
	tell_fork(PID + 1, PID, 200);
	EXPECT_STR(path_at(PID + 1, 250, 0x400000), "/a");
	end();
}

static void test_reused_pid(void)
{
	begin();
	tell(PROCESS_EXECED, PID, 100);
	tell_map(PID, 101, 0x400000, "/a");
	tell(PROCESS_EXECED, PID + 1, 100);
	tell_map(PID + 1, 101, 0x400000, "/b");
	tell(PROCESS_EXITED, PID, 200);
	EXPECT_STR(path_at(PID, 150, 0x400000), "/a");
	tell_fork(PID, PID + 1, 300);
	EXPECT_STR(path_at(PID, 250, 0x400000), "/a");
	EXPECT_STR(path_in(find(PID, 6 * SECOND, 300), 0x400000), "/b");
	EXPECT_STR(path_at(PID, 199, 0x400000), "/a");
	/* The record of this one's birth is missing, but it was born at another time. */
	EXPECT_STR(path_in(find(PID, 7 * SECOND, 400), 0x400000), NULL);
	EXPECT_STR(path_in(find(PID, 6 * SECOND + 1000, 400), 0x400000), "/b"); /* same tick */
	end();
}

static void test_unknown(void)
{
	begin();
	tell_map(PID, 100, 0x400000, "/a"); /* of a process that we know nothing else of */
	tell(PROCESS_EXITED, PID + 1, 100);
	tell_fork(PID + 2, PID + 3, 100);
	tell_fork(PID + 4, PID + 4, 100);
	EXPECT_STR(path_at(PID, 50, 0x400000), "/a");
	EXPECT_STR(path_at(PID, 150, 0x400000), "/a");
	EXPECT_STR(path_at(PID + 2, 150, 0x400000), NULL);
	EXPECT(find(PID + 1, 5 * SECOND, 150) == NULL);
	EXPECT(find(PID + 4, 5 * SECOND, 150) == NULL);
	end();
}

static void test_forget(void)
{
	struct image *image;

	begin();
	tell(PROCESS_EXECED, PID, 100);
	tell_map(PID, 101, 0x400000, "/a");
	tell(PROCESS_EXECED, PID, 200);
	tell_map(PID, 201, 0x400000, "/b");
	image = find(PID, 5 * SECOND, 250);
	images__forget(images, 199);
	EXPECT_STR(path_at(PID, 199, 0x400000), "/a");
	images__forget(images, 200);
	EXPECT_STR(path_at(PID, 199, 0x400000), NULL);
	EXPECT(find(PID, 5 * SECOND, 250) == image);
	tell(PROCESS_EXITED, PID, 300);
	images__forget(images, 300);
	EXPECT(find(PID, 5 * SECOND, 250) == image);
	images__forget(images, 301);
	EXPECT(!knows_any());
	end();
}

/* Thousands come and go; the memory held does not grow. */
static void test_bounded(void)
{
	size_t most = 0, one, i;
	char path[32];

	begin();
	tell(PROCESS_EXECED, PID, 1);
	tell_map(PID, 2, 0x400000, "/bin/sh");
	one = memory_bytes();
	for (i = 1; i <= 20000; i++) {
		const int32_t pid = PID + 1 + (int32_t)(i % 5000);
		const uint64_t now_ns = i * 1000;

		snprintf(path, sizeof(path), "/tmp/program-%zu", i);
		tell_fork(pid, PID, now_ns);
		tell(PROCESS_EXECED, pid, now_ns + 1);
		tell_map(pid, now_ns + 2, 0x400000, path);
		EXPECT_STR(path_at(pid, now_ns + 3, 0x400000), path);
		tell(PROCESS_EXITED, pid, now_ns + 4);
		if (i % 20 == 0) {
			images__forget(images, now_ns + 5);
			mapped_files__forget(files, now_ns + 5);
			EXPECT(memory_bytes() <= one);
		}
		if (memory_bytes() > most)
			most = memory_bytes();
	}
	EXPECT(most < 256 * 1024);
	end();
}

/* ---- bounds ---- */

#define MAX_BYTES (1U << 20)

/* Tells of a process with so many mappings of files with long paths, a long part of its own. */
static void tell_many(int32_t pid, size_t nr_mappings)
{
	char path[1024];
	size_t i;

	memset(path, 'p', sizeof(path));
	tell(PROCESS_EXECED, pid, 100);
	for (i = 0; i < nr_mappings; i++) {
		snprintf(path + sizeof(path) - 32, 32, "/%d/%zu", pid, i);
		tell_map(pid, 101, 0x400000 + i * 0x2000, path);
		EXPECT(mapped_files__memory_bytes(files) < MAX_BYTES + MAX_BYTES / 10);
	}
}

static bool is_refused(int32_t pid)
{
	return find(pid, 5 * SECOND, 200)->is_refused;
}

static int32_t next_refused(void)
{
	struct refusal refusal = {0};

	return images__take_refusal(images, &refusal) ? refusal.pid : -1;
}

/* A process that has more than half of the memory goes, however many others there are. */
static void test_too_many(void)
{
	begin_within(MAX_BYTES);
	tell_many(PID, 300);
	EXPECT_EQ(next_refused(), -1);
	tell_many(PID + 1, 600);
	EXPECT_EQ(next_refused(), PID + 1);
	EXPECT(is_refused(PID + 1));
	EXPECT_STR(path_at(PID + 1, 200, 0x400000), NULL);
	EXPECT(!is_refused(PID));
	tell_many(PID + 1, 600); /* another program, which does the same */
	EXPECT_EQ(next_refused(), PID + 1);
	tell_fork(PID + 2, PID + 1, 150);
	EXPECT(is_refused(PID + 2));
	EXPECT_EQ(next_refused(), -1);
	tell(PROCESS_EXECED, PID + 1, 300);
	tell_map(PID + 1, 301, 0x400000, "/small");
	EXPECT_STR(path_at(PID + 1, 301, 0x400000), "/small");
	end();
}

/* When all are too much, the largest go, and no others than have to. */
static void test_largest_first(void)
{
	int32_t i;

	begin_within(MAX_BYTES);
	for (i = 0; i < 100; i++)
		tell_many(PID + i, 2);
	for (i = 100; i < 104; i++)
		tell_many(PID + i, 200);
	for (i = 0; i < 100; i++)
		EXPECT(path_at(PID + i, 200, 0x402000) != NULL);
	EXPECT_EQ(is_refused(PID + 100) + is_refused(PID + 101) + is_refused(PID + 102) +
			  is_refused(PID + 103),
		  2);
	EXPECT(next_refused() >= PID + 100);
	EXPECT(next_refused() >= PID + 100);
	EXPECT_EQ(next_refused(), -1);
	end();
}

/* Processes that share mappings have them together, and lose them together. */
static void test_sharers(void)
{
	int32_t i;

	begin_within(MAX_BYTES);
	tell_many(PID, 300);
	for (i = 1; i <= 50; i++)
		tell_fork(PID + i, PID, 150);
	EXPECT_EQ(next_refused(), -1);
	tell_many(PID + 100, 250);
	tell_many(PID + 101, 250);
	tell_many(PID + 102, 250);
	for (i = 0; i <= 50; i++)
		EXPECT(is_refused(PID + i));
	EXPECT(!is_refused(PID + 102));
	/* So many are told of by name, and then that there are more. */
	for (i = 0; i < MAX_REFUSALS; i++)
		EXPECT(next_refused() >= PID);
	EXPECT_EQ(next_refused(), 0);
	EXPECT_EQ(next_refused(), -1);
	end();
}

/* Thousands that have a bit too much together: each is small, and their sum holds. */
static void test_crowd(void)
{
	int32_t i;

	begin_within(MAX_BYTES);
	tell(PROCESS_EXECED, PID, 100);
	tell_map(PID, 101, 0x400000, "/usr/bin/small");
	for (i = 1; i <= 2000; i++)
		tell_many(PID + i, 5);
	EXPECT_STR(path_at(PID, 200, 0x400000), "/usr/bin/small");
	end();
}

/* ---- real processes ---- */

/* A child that maps a page with code wherever it is told to, and says so. */
struct mapper {
	pid_t pid;
	int to, from;
	uint64_t start_ns; /* CLOCK_BOOTTIME of its birth, to the tick */
};

static void obey(int from, int to)
{
	uint64_t address;

	while (read(from, &address, sizeof(address)) == sizeof(address)) {
		void *page = mmap((void *)(uintptr_t)address, 4096, PROT_READ | PROT_EXEC,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

		address = (uintptr_t)page;
		if (write(to, &address, sizeof(address)) < 0)
			break;
	}
	_exit(0);
}

static struct mapper start_child(void)
{
	struct mapper child = {0};
	int to[2], from[2];

	if (pipe(to) || pipe(from))
		exit(1);
	child.pid = fork();
	if (child.pid == 0) {
		close(to[1]);
		close(from[0]);
		obey(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	child.to = to[1];
	child.from = from[0];
	child.start_ns = process_start_ns(child.pid);
	return child;
}

static void map_in(const struct mapper *child, uint64_t address)
{
	uint64_t answer = 0;

	EXPECT_EQ(write(child->to, &address, sizeof(address)), sizeof(address));
	EXPECT_EQ(read(child->from, &answer, sizeof(answer)), sizeof(answer));
	EXPECT(answer == address);
}

static void stop_child(struct mapper *child)
{
	close(child->to);
	close(child->from);
	waitpid(child->pid, NULL, 0);
}

static const char *child_path(const struct mapper *child, uint64_t seen_ns, uint64_t address)
{
	return path_in(find(child->pid, child->start_ns, seen_ns), address);
}

/*
 * Returns the path once the mappings may be read again: the longer a reading took, the later that
 * is.
 */
static const char *path_in_time(const struct mapper *child, uint64_t address)
{
	const uint64_t until_ns = monotonic_ns() + 20000000000ULL;
	const char *path;

	do
		path = child_path(child, monotonic_ns(), address);
	while (!path && monotonic_ns() < until_ns);
	return path;
}

#define FREE_ADDRESS 0x200000000000ULL

static void test_read(void)
{
	struct mapper child = start_child();
	struct mapper other = child;

	begin();
	map_in(&child, FREE_ADDRESS);
	EXPECT_EQ(images__read(images, child.pid), 0);
	EXPECT_STR(child_path(&child, 1, FREE_ADDRESS), "[anon]");
	EXPECT_STR(child_path(&child, monotonic_ns(), FREE_ADDRESS), "[anon]");
	EXPECT(path_in(find(child.pid, child.start_ns, 1), (uintptr_t)test_read) != NULL);
	other.start_ns -= SECOND; /* a process that had the same pid */
	EXPECT_STR(child_path(&other, monotonic_ns(), FREE_ADDRESS), NULL);
	EXPECT_EQ(images__read(images, PID), -ESRCH);
	if (kill(2, 0) == 0)
		EXPECT_EQ(images__read(images, 2), 0); /* kthreadd has no mappings */
	end();

	begin(); /* the same when asked for only */
	EXPECT_STR(child_path(&other, monotonic_ns(), FREE_ADDRESS), NULL);
	EXPECT_STR(child_path(&child, monotonic_ns(), FREE_ADDRESS), "[anon]");
	stop_child(&child);
	EXPECT_STR(child_path(&child, monotonic_ns(), FREE_ADDRESS), "[anon]");
	end();
}

/* At the end of an interval no process is read for longer than there is time. */
static void test_hurry(void)
{
	struct mapper child = start_child();
	struct time_budget budget = {0};

	begin();
	map_in(&child, FREE_ADDRESS);
	files->budget = &budget;
	EXPECT_STR(child_path(&child, monotonic_ns(), FREE_ADDRESS), NULL);
	EXPECT_EQ(images->failure, -ETIME);
	budget.left_ns = SECOND;
	EXPECT_STR(child_path(&child, monotonic_ns(), FREE_ADDRESS), "[anon]");
	EXPECT(budget.left_ns < SECOND);
	stop_child(&child);
	end();
}

/*
 * A list that takes long is left until all others are read, and the list from before is kept until
 * then.
 */
static void test_put_off(void)
{
	const pid_t crowd = start_long_maps();
	const uint64_t start_ns = process_start_ns(crowd);
	struct mapper child = start_child();

	begin();
	map_in(&child, FREE_ADDRESS);
	images->puts_off = true;
	EXPECT_EQ(images__read(images, crowd), 0);
	EXPECT_EQ(images__read(images, child.pid), 0);
	EXPECT(find(crowd, start_ns, 1)->is_long);
	EXPECT_STR(path_in(find(crowd, start_ns, 1), LONG_MAPS_AT), NULL);
	EXPECT_EQ(find(crowd, start_ns, 1)->read_ns, 0);
	EXPECT(!find(child.pid, child.start_ns, 1)->is_long);
	EXPECT_STR(child_path(&child, 1, FREE_ADDRESS), "[anon]");
	images->puts_off = false;
	images__read_put_off(images);
	EXPECT(!find(crowd, start_ns, 1)->is_put_off);
	EXPECT_STR(path_in(find(crowd, start_ns, 1), LONG_MAPS_AT), "[anon]");
	EXPECT(find(crowd, start_ns, 1)->is_long);

	images->puts_off = true;
	find(crowd, start_ns, 1)->ask_ns =
		0; /* it may have taken so long that it is let be for a while */
	tell(PROCESS_RECORDS_LOST, 0, monotonic_ns());
	EXPECT(find(crowd, start_ns, 1)->is_put_off);
	EXPECT_STR(path_in(find(crowd, start_ns, 1), LONG_MAPS_AT), "[anon]");
	EXPECT(!images__read_again(images, find(crowd, start_ns, 1)));
	images->puts_off = false;
	EXPECT(!find(crowd, start_ns, 1)->is_put_off); /* asked for, it is read */
	stop_child(&child);
	stop_long_maps(crowd);
	end();
}

/* A child is known no better than its parent. */
static void test_fork_of_put_off(void)
{
	const pid_t crowd = start_long_maps();
	struct mapper child = start_child();

	begin();
	images->puts_off = true;
	tell_fork(child.pid, crowd, monotonic_ns());
	EXPECT(find(child.pid, child.start_ns, monotonic_ns())->is_put_off);
	map_in(&child, FREE_ADDRESS);
	images->puts_off = false;
	EXPECT_STR(child_path(&child, monotonic_ns(), FREE_ADDRESS), "[anon]");
	stop_child(&child);
	stop_long_maps(crowd);
	end();
}

/* Events that are told after the reading, but happened before it. */
static void test_events_before_reading(void)
{
	struct mapper child = start_child();
	const uint64_t before_ns = monotonic_ns();

	begin();
	map_in(&child, FREE_ADDRESS);
	EXPECT_EQ(images__read(images, child.pid), 0);
	tell(PROCESS_EXECED, PID, 1);
	tell_map(PID, 2, 0x1000, "/parent");
	tell_fork(child.pid, PID, before_ns);
	tell(PROCESS_EXECED, child.pid, before_ns + 10);
	tell_map(child.pid, before_ns + 20, FREE_ADDRESS, "/stale");
	tell(PROCESS_EXITED, child.pid, before_ns - 10); /* the process that had the pid before */
	EXPECT_STR(child_path(&child, before_ns + 30, FREE_ADDRESS), "[anon]");
	EXPECT_STR(child_path(&child, before_ns + 9, FREE_ADDRESS), NULL);
	EXPECT_STR(child_path(&child, before_ns + 9, 0x1000), "/parent");
	EXPECT_STR(child_path(&child, before_ns - 1, 0x1000), NULL);
	tell_map(child.pid, monotonic_ns(), FREE_ADDRESS, "/fresh");
	EXPECT_STR(child_path(&child, monotonic_ns(), FREE_ADDRESS), "/fresh");
	images__forget(images, monotonic_ns());
	EXPECT(knows_any());
	stop_child(&child);
	end();
}

/* The end of the process that had the pid before is told when the next one is already known. */
static void test_exit_before_reading(void)
{
	struct mapper child = start_child();
	const uint64_t before_ns = monotonic_ns();

	begin();
	EXPECT_EQ(images__read(images, child.pid), 0);
	tell(PROCESS_EXITED, child.pid, before_ns);
	images__forget(images, monotonic_ns());
	EXPECT(knows_any());
	tell(PROCESS_EXITED, child.pid, monotonic_ns());
	images__forget(images, monotonic_ns());
	EXPECT(knows_any()); /* other threads of it may go on */
	stop_child(&child);
	images__forget(images, monotonic_ns());
	EXPECT(!knows_any());
	end();
}

static void test_lost_records(void)
{
	struct mapper child = start_child();

	begin();
	EXPECT_EQ(images__read(images, child.pid), 0);
	map_in(&child, FREE_ADDRESS); /* no event tells us */
	EXPECT_STR(child_path(&child, monotonic_ns(), FREE_ADDRESS), NULL);
	tell(PROCESS_RECORDS_LOST, 0, monotonic_ns());
	EXPECT_STR(path_in_time(&child, FREE_ADDRESS), "[anon]");
	tell(PROCESS_RECORDS_LOST, 0, monotonic_ns());
	stop_child(&child);
	EXPECT_STR(child_path(&child, monotonic_ns(), FREE_ADDRESS), "[anon]"); /* kept */
	images__forget(images, monotonic_ns());
	images__forget(images, monotonic_ns());
	EXPECT(!knows_any()); /* its end was lost, too */
	end();
}

/* A parent that we never heard of is looked up at once, a child of one that is gone later. */
static void test_fork_of_unknown(void)
{
	struct mapper child = start_child();

	begin();
	tell_fork(PID, getpid(), monotonic_ns());
	EXPECT(path_at(PID, monotonic_ns(), (uintptr_t)test_fork_of_unknown) != NULL);
	tell_fork(child.pid, PID + 1, monotonic_ns());
	map_in(&child, FREE_ADDRESS);
	EXPECT_STR(child_path(&child, monotonic_ns(), FREE_ADDRESS), "[anon]");
	stop_child(&child);
	end();
}

int main(void)
{
	static const struct test tests[] = {
		{"exec", test_exec},
		{"code in the place of other code", test_replaced},
		{"a mapping that is no more in doubt", test_version_after_mapping},
		{"fork", test_fork},
		{"a fork told after the parent's exec", test_fork_before_exec},
		{"a pid used again", test_reused_pid},
		{"processes nobody told of", test_unknown},
		{"forgetting", test_forget},
		{"thousands come and go", test_bounded},
		{"too many mappings", test_too_many},
		{"the largest first", test_largest_first},
		{"sharers", test_sharers},
		{"a crowd", test_crowd},
		{"reading a process", test_read},
		{"reading in a hurry", test_hurry},
		{"reading is put off", test_put_off},
		{"a fork of who was put off", test_fork_of_put_off},
		{"events before the reading", test_events_before_reading},
		{"an exit before the reading", test_exit_before_reading},
		{"lost records", test_lost_records},
		{"a fork of an unknown process", test_fork_of_unknown},
		{0},
	};

	signal(SIGPIPE, SIG_IGN);
	return run_tests("images", tests);
}
