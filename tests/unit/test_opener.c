// SPDX-License-Identifier: GPL-2.0-only
/* Openers that answer, hang and crash, as the paths they are asked for tell them. */
#include "processes/opener.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system/spawner.h"
#include "base/time_budget.h"
#include "descriptors.h"
#include "expect.h"
#include "processes/open_file.h"
#include "processes/roots.h"

#define SECOND_NS 1000000000ULL
#define LONG_NS	  (30 * SECOND_NS)

/* ---- the opener's functions in its process ---- */

static int open_by_name(const char *path)
{
	if (strstr(path, "hangs"))
		pause();
	if (strstr(path, "crashes"))
		raise(SIGKILL);
	if (strstr(path, "refused"))
		return -EMEDIUMTYPE;
	return open("/proc/self/stat", O_RDONLY | O_CLOEXEC); /* the file says its pid */
}

int open_file__below(int root, const char *path, bool follow)
{
	struct stat status;

	if (fstat(root, &status) || !S_ISDIR(status.st_mode))
		return -EBADF;
	return follow || strstr(path, "hangs") ? open_by_name(path) : -ELOOP;
}

/* The number of roots is the process's. */
int open_file__mapped(const struct mapping *mapping, const struct mapped_by *by,
		      const struct search_roots *where)
{
	if (mapping->inode != 1234 || by->start != 0x1000 || by->end != 0x2000)
		return -EINVAL;
	if (strstr(mapping->path, "found"))
		where->on_found(where->context);
	return open_by_name(mapping->path);
}

/* Questions about process 1 are never answered. */
int open_file__of_process(const struct mapped_by *by, const char *name, struct living *living)
{
	if (by->start_ticks != 77)
		return -ESRCH;
	if (living)
		*living = (struct living){.start_ticks = 78, .identity.pid = by->pid};
	while (by->pid == 4)
		clock(); /* it works for ever */
	return by->pid == 1 ? open_by_name("hangs") : open_by_name(name);
}

/* ---- asking ---- */

static struct spawner *spawner;
static struct opener *opener;

static void begin(void)
{
	EXPECT_EQ(openers__start(&spawner), 0);
	opener = opener__new(spawner);
}

static void end(void)
{
	opener__free(opener);
	spawner__stop(spawner);
}

static int below(struct opener *asked, const char *path, struct time_budget *budget)
{
	const struct opening opening = {.kind = OPENING_BELOW,
					.root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC),
					.path = path};
	const int fd = opener__open(asked, &opening, budget);

	close(opening.root);
	return fd;
}

static int mapped(const char *path, int32_t pid, uint32_t device)
{
	const struct mapping mapping = {.inode = 1234, .major = device, .path = path};
	const struct mapped_by by = {.pid = pid, .start_ticks = 5, .start = 0x1000, .end = 0x2000};
	const struct opening opening = {.kind = OPENING_MAPPED, .mapping = &mapping, .by = &by};

	return opener__open(opener, &opening, NULL);
}

/* Returns the pid of the opener of fd; closes fd. */
static pid_t opened_by(int fd)
{
	char text[64] = "";

	EXPECT(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return atoi(text);
}

static void test_answers(void)
{
	const struct opening nofollow = {
		.kind = OPENING_NOFOLLOW, .root = open("/", O_PATH | O_CLOEXEC), .path = "/fine"};
	const size_t nr_files = count_descriptors();
	pid_t first;

	begin();
	first = opened_by(below(opener, "/fine", NULL));
	EXPECT(first != getpid());
	EXPECT_EQ(opened_by(below(opener, "/fine", NULL)), first);
	EXPECT_EQ(opened_by(mapped("/fine", 1, 8)), first);
	EXPECT_EQ(opened_by(mapped("/found", 1, 8)), first);
	EXPECT_EQ(below(opener, "/refused", NULL), -EMEDIUMTYPE);
	EXPECT_EQ(opener__open(opener, &nofollow, NULL), -ELOOP);
	end();
	EXPECT_EQ(count_descriptors(), nr_files);
	close(nofollow.root);
	EXPECT_EQ(opened_by(below(NULL, "/fine", NULL)), getpid());
}

static void test_crash(void)
{
	begin();
	EXPECT_EQ(below(opener, "/crashes", NULL), -EPIPE);
	EXPECT(opened_by(below(opener, "/fine", NULL)) != getpid());
	end();
}

static uint64_t ask(const char *path)
{
	const struct opening opening = {.kind = OPENING_BELOW,
					.root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC),
					.path = path};
	uint64_t ticket = 0;

	EXPECT_EQ(opener__ask(opener, &opening, &ticket), 0);
	close(opening.root);
	return ticket;
}

/* In order, and without waiting; what waits behind one that hangs is cancelled. */
static void test_many(void)
{
	uint64_t first, second, third;
	struct opened opened;

	begin();
	EXPECT(!opener__take(opener, UINT64_MAX, &opened)); /* nothing was asked */
	first = ask("/fine");
	second = ask("/hangs/1");
	third = ask("/fine");
	EXPECT(opener__take(opener, monotonic_ns() + LONG_NS, &opened));
	EXPECT_EQ(opened.ticket, first);
	opened_by(opened.fd);
	EXPECT(!opener__take(opener, 0, &opened));
	EXPECT(opener__take(opener, monotonic_ns() + LONG_NS, &opened));
	EXPECT_EQ(opened.ticket, second);
	EXPECT_EQ(opened.fd, -ETIMEDOUT);
	EXPECT(opener__take(opener, 0, &opened));
	EXPECT_EQ(opened.ticket, third);
	EXPECT_EQ(opened.fd, -ECANCELED);
	EXPECT(!opener__take(opener, UINT64_MAX, &opened));
	end();
}

/* A caller waits no longer than it wants, and no caller waits twice for one path. */
static void test_hanging(void)
{
	struct time_budget budget = {.left_ns = SECOND_NS / 5};
	const uint64_t start_ns = monotonic_ns();
	uint64_t known_ns;

	begin();
	EXPECT_EQ(below(opener, "/hangs/1", &budget), -EAGAIN);
	EXPECT_EQ(budget.left_ns, 0);
	EXPECT(monotonic_ns() - start_ns < OPENER_LIMIT_NS);
	EXPECT_EQ(below(opener, "/fine", NULL), -ECANCELED);
	opened_by(below(opener, "/fine", NULL));
	known_ns = monotonic_ns();
	EXPECT(known_ns - start_ns >= OPENER_LIMIT_NS);
	EXPECT_EQ(below(opener, "/hangs/1", NULL), -ETIMEDOUT);
	EXPECT(monotonic_ns() - known_ns < OPENER_LIMIT_NS);
	end();
}

static size_t nr_told;

static void note_unopened(void *context, const char *path, int code)
{
	EXPECT(context == &nr_told);
	EXPECT_STR(path, "/refused");
	EXPECT_EQ(code, -EMEDIUMTYPE);
	nr_told++;
}

static void test_telling(void)
{
	begin();
	opener__tell(opener, note_unopened, &nr_told);
	opened_by(below(opener, "/fine", NULL));
	EXPECT_EQ(below(opener, "/refused", NULL), -EMEDIUMTYPE);
	EXPECT_EQ(below(opener, "/refused", NULL), -EMEDIUMTYPE);
	EXPECT_EQ(nr_told, 1);
	end();
}

/* Until the file is found, its process is to blame for it; then the device. */
static void test_blame(void)
{
	begin();
	EXPECT_EQ(mapped("/hangs", 1, 8), -ETIMEDOUT);
	EXPECT_EQ(mapped("/fine", 1, 8), -ETIMEDOUT);
	opened_by(mapped("/fine", 2, 8));
	EXPECT_EQ(mapped("/found/hangs", 2, 9), -ETIMEDOUT);
	EXPECT_EQ(mapped("/fine", 3, 9), -ETIMEDOUT);
	opened_by(mapped("/fine", 2, 8));
	end();
}

static int in_directory(int root, const char *path)
{
	const struct opening opening = {.kind = OPENING_NOFOLLOW, .root = root, .path = path};

	return opener__open(opener, &opening, NULL);
}

/* The root of a process that has mounts of its own; -1: none is to be had. */
static int open_other_root(pid_t *process)
{
	char path[32];
	int said[2], root = -1;
	char word;

	EXPECT_EQ(pipe(said), 0);
	*process = fork();
	if (!*process) {
		if ((!geteuid() || !unshare(CLONE_NEWUSER)) && !unshare(CLONE_NEWNS) &&
		    write(said[1], "y", 1) == 1)
			pause();
		_exit(0);
	}
	close(said[1]);
	snprintf(path, sizeof(path), "/proc/%d/root", *process);
	if (read(said[0], &word, 1) == 1)
		root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	close(said[0]);
	return root;
}

/* A mount that only its user sees does not close that directory to others. */
static void test_mounts(void)
{
	const int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	pid_t process;
	const int other = open_other_root(&process);

	begin();
	EXPECT_EQ(in_directory(other < 0 ? root : other, "/tmp/hangs"), -ETIMEDOUT);
	EXPECT_EQ(in_directory(other < 0 ? root : other, "/tmp/fine"), -ETIMEDOUT);
	if (other >= 0) {
		EXPECT_EQ(in_directory(root, "/tmp/fine"), -ELOOP);
		close(other);
	}
	EXPECT_EQ(in_directory(root, "/var/fine"), -ELOOP);
	end();
	close(root);
	kill(process, SIGKILL);
	waitpid(process, NULL, 0);
}

static int of_process_within(int32_t pid, const char *name, struct living *living,
			     struct time_budget *budget)
{
	const struct mapped_by by = {.pid = pid, .start_ticks = 77};
	const struct opening opening = {
		.kind = OPENING_PROCESS, .by = &by, .path = name, .living = living};

	return opener__open(opener, &opening, budget);
}

static int of_process(int32_t pid, const char *name, struct living *living)
{
	return of_process_within(pid, name, living, NULL);
}

/*
 * An opener that takes too long to answer is given up, and keeps no other caller waiting: the next
 * answer comes at once.
 */
static void test_dropped(void)
{
	struct time_budget budget = {.left_ns = SECOND_NS / 5};

	begin();
	opened_by(of_process(2, "maps", NULL)); /* so that it is there, and known by its pid */
	EXPECT_EQ(of_process_within(4, "maps", NULL, &budget), -EAGAIN);
	opened_by(of_process(2, "maps", NULL));
	end();
}

/* Processes that refuse to be looked at do not keep other files from being opened. */
static void test_processes(void)
{
	struct living living = {0};

	begin();
	opened_by(of_process(2, "maps", &living));
	EXPECT_EQ(living.start_ticks, 78);
	EXPECT_EQ(living.identity.pid, 2);
	EXPECT_EQ(of_process(3, "refused", &living), -EMEDIUMTYPE);
	EXPECT_EQ(living.identity.pid, 3);
	EXPECT_EQ(of_process(1, "maps", &living), -ETIMEDOUT);
	EXPECT_EQ(living.identity.pid, 0);
	EXPECT_EQ(of_process(1, "root", &living), -ETIMEDOUT);
	opened_by(of_process(2, "root", NULL));
	opened_by(below(opener, "/fine", NULL));
	end();
}

int main(void)
{
	static const struct test tests[] = {
		{"answers", test_answers},	   {"a crash", test_crash},
		{"many questions", test_many},	   {"a file system that hangs", test_hanging},
		{"who is to blame", test_blame},   {"what is told", test_telling},
		{"processes", test_processes},	   {"who has much to tell", test_dropped},
		{"mounts of others", test_mounts}, {0},
	};

	return run_tests("opener", tests);
}
