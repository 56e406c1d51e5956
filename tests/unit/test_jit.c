// SPDX-License-Identifier: GPL-2.0-only
/*
 * Children have a page of code in memory, which maps and dumps describe; and files are believed by
 * their owners.
 */
#include "symbols/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "expect.h"
#include "processes.h"
#include "readers/readers.h"
#include "scratch.h"
#include "symbols/jit/late_names.h"

#define PLACE	    0x10000000ULL /* no mapping is there by itself */
#define STRANGER    12345	  /* a user's id */
#define SETTLE_US   50000	  /* some ticks, so that files are older than later ones */
#define CHILD_MAX_S 60

static struct readers *readers;
static struct symbols *symbols;
static struct frame frame;
static char map_path[64];
static int unread; /* the last question found data missing */

struct jit_process {
	pid_t pid;
	int order, answer;
};

/* ---- a child that maps on order ---- */

static void map_page(int protection, const char *path)
{
	int fd = path ? open(path, O_RDONLY) : -1;

	if (mmap((void *)PLACE, 4096, protection, /* NOLINT(performance-no-int-to-ptr) */
		 MAP_FIXED | MAP_PRIVATE | (path ? 0 : MAP_ANONYMOUS), fd, 0) == MAP_FAILED)
		_exit(1);
}

static void obey(char order)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", scratch_directory, getpid());
	if (order == 'm')
		map_page(PROT_READ | PROT_EXEC, NULL);
	else if (order == 'w')
		map_page(PROT_READ | PROT_WRITE, NULL);
	else if (order == 'x')
		mprotect((void *)PLACE, 4096, PROT_READ | PROT_EXEC); /* NOLINT */
	else if (order == 't')
		map_page(PROT_READ | PROT_EXEC, scratch_path("text"));
	else if (order == 'd' && mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE,
				      open(path, O_RDONLY), 0) == MAP_FAILED)
		_exit(1);
}

static void order(const struct jit_process *child, char what)
{
	EXPECT_EQ(write(child->order, &what, 1), 1);
	EXPECT_EQ(read(child->answer, &what, 1), 1);
}

static struct jit_process start_child(void)
{
	struct jit_process child;
	int order[2], answer[2];
	char what;

	EXPECT_EQ(pipe2(order, O_CLOEXEC), 0);
	EXPECT_EQ(pipe2(answer, O_CLOEXEC), 0);
	child.pid = fork();
	if (child.pid == 0) {
		alarm(CHILD_MAX_S);
		close(order[1]);
		while (read(order[0], &what, 1) == 1) {
			obey(what);
			if (write(answer[1], &what, 1) != 1)
				break;
		}
		_exit(0);
	}
	close(order[0]);
	close(answer[1]);
	child.order = order[1];
	child.answer = answer[0];
	snprintf(map_path, sizeof(map_path), "/tmp/perf-%d.map", child.pid);
	unlink(map_path);
	return child;
}

/* The child becomes a zombie, and is gone after reap(). */
static void kill_child(const struct jit_process *child)
{
	siginfo_t info;

	kill(child->pid, SIGKILL);
	waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT);
}

static void reap(const struct jit_process *child)
{
	kill_child(child);
	waitpid(child->pid, NULL, 0);
	close(child->order);
	close(child->answer);
}

/* ---- questions ---- */

static struct {
	size_t nr;
	int code;
	char path[64];
} told;

static void note_unreadable(void *waiter, const char *path, enum reader_job job, int code)
{
	(void)waiter;
	EXPECT_EQ(job, READ_PERF_MAP);
	told.nr++;
	told.code = code;
	snprintf(told.path, sizeof(told.path), "%s", path);
}

static struct jit_process begin(char what)
{
	const struct symbols_options options = {
		.demangle = true, .readers = readers, .on_unreadable = note_unreadable};
	struct jit_process child = start_child();

	memset(&told, 0, sizeof(told));
	order(&child, what);
	symbols = symbols__new(&options);
	return child;
}

static void end(const struct jit_process *child)
{
	reap(child);
	symbols__free(symbols);
	unlink(map_path);
}

static void write_to(const char *path, const char *mode, const char *text)
{
	FILE *file = fopen(path, mode);

	EXPECT(file != NULL);
	if (!file)
		return;
	EXPECT_EQ(fwrite(text, 1, strlen(text), file), strlen(text));
	fclose(file);
}

static struct process process_of(const struct jit_process *child)
{
	return (struct process){.pid = child->pid,
				.start_ns = process_start_ns(child->pid),
				.seen_ns = monotonic_ns()};
}

/* Returns the name of the function at an offset from PLACE, in a new round. */
static const char *name_in(const struct process *process, uint64_t offset)
{
	symbols__forget(symbols, 0);
	unread = symbols__resolve(symbols, symbols__image(symbols, process), PLACE + offset, false,
				  &frame);
	return frame.function;
}

static const char *name_at(const struct jit_process *child, uint64_t offset)
{
	const struct process process = process_of(child);

	return name_in(&process, offset);
}

static void tell(enum process_event_type type, pid_t pid, pid_t parent)
{
	const struct process_event event = {
		.type = type,
		.time_ns = monotonic_ns(),
		.pid = pid,
		.parent = parent,
		.mapping = {.start = PLACE, .end = PLACE + 4096, .path = "//anon"},
	};

	symbols__observe(symbols, &event);
}

/* ---- names of a map ---- */

static void test_names(void)
{
	struct jit_process child = begin('m');

	EXPECT_STR(name_at(&child, 0), NULL);
	EXPECT_STR(frame.module, "[anon]");
	EXPECT_EQ(frame.kind, FRAME_JIT);
	write_to(map_path, "w", "10000100 100 _ZN3app3runEv\n10000200 100 _start\n");
	EXPECT_STR(name_at(&child, 0x110), "app::run()");
	EXPECT_STR(frame.module, "[anon]");
	EXPECT_STR(frame.path, NULL);
	EXPECT_EQ(frame.kind, FRAME_JIT);
	EXPECT_EQ(frame.address, PLACE + 0x110);
	EXPECT_EQ(frame.offset, 0x10);
	EXPECT_STR(name_at(&child, 0x2ff), "_start");
	EXPECT(!frame.root); /* any function may have that name */
	EXPECT_STR(name_at(&child, 0x300), NULL);
	symbols__resolve(symbols, NULL, PLACE + 0x110, false, &frame);
	EXPECT_STR(frame.function, NULL);
	end(&child);
}

static void test_callers(void)
{
	struct jit_process child = begin('m');
	const struct process process = process_of(&child);

	write_to(map_path, "w", "10000100 100 caller\n");
	symbols__resolve(symbols, symbols__image(symbols, &process), PLACE + 0x200, true, &frame);
	EXPECT_STR(frame.function, "caller");
	EXPECT_EQ(frame.address, PLACE + 0x200);
	EXPECT_EQ(frame.offset, 0x100);
	end(&child);
}

/* A cache of names has to ask again when the version is another one. */
static void test_versions(void)
{
	struct jit_process child = begin('m');
	const struct process process = process_of(&child);
	struct image *image;
	uint64_t version;

	write_to(map_path, "w", "10000100 100 first\n");
	EXPECT_STR(name_at(&child, 0x100), "first");
	image = symbols__image(symbols, &process);
	version = symbols__image_version(image);
	EXPECT_STR(name_at(&child, 0x100), "first");
	EXPECT_EQ(symbols__image_version(symbols__image(symbols, &process)), version);
	write_to(map_path, "a", "10000100 100 second\n");
	EXPECT_EQ(symbols__image_version(symbols__image(symbols, &process)), version);
	EXPECT_STR(name_at(&child, 0x100), "second");
	EXPECT(symbols__image_version(symbols__image(symbols, &process)) > version);
	end(&child);
}

static void test_replaced_map(void)
{
	struct jit_process child = begin('m');
	char other[96];

	write_to(map_path, "w", "10000100 100 first\n10000300 100 third\n");
	EXPECT_STR(name_at(&child, 0x100), "first");
	snprintf(other, sizeof(other), "%s.new", map_path);
	write_to(other, "w", "10000100 100 another\n");
	EXPECT_EQ(rename(other, map_path), 0);
	EXPECT_STR(name_at(&child, 0x100), "another");
	EXPECT_STR(name_at(&child, 0x300), NULL);
	unlink(map_path);
	EXPECT_STR(name_at(&child, 0x100), "another"); /* the names read before are kept */
	end(&child);
}

/* A file of code that is no ELF file; one that is has its own names. */
static void test_other_mappings(void)
{
	struct jit_process child;

	scratch_write("text", "this is not a program, but may be code");
	child = begin('t');
	write_to(map_path, "w", "10000100 100 in_text\n");
	EXPECT_STR(name_at(&child, 0x100), "in_text");
	EXPECT_STR(frame.module, "text");
	EXPECT_EQ(frame.kind, FRAME_JIT);
	EXPECT_EQ(frame.address, PLACE + 0x100);
	EXPECT_STR(name_at(&child, 0x10), NULL);
	EXPECT_EQ(frame.kind, FRAME_USER);
	EXPECT_EQ(frame.address, 0x10);
	end(&child);
}

/* No record tells that memory becomes code; but memory with samples must be. */
static void test_protection(void)
{
	struct jit_process child = begin('w');

	write_to(map_path, "w", "10000100 100 late\n");
	EXPECT_STR(name_at(&child, 0x100), NULL);
	EXPECT_STR(frame.module, NULL);
	order(&child, 'x');
	usleep(600000); /* it was asked for just now */
	EXPECT_STR(name_at(&child, 0x100), "late");
	end(&child);
}

/* ---- told late ---- */

/* Asks for the frame at the offset as it was sampled; returns its name once it was told. */
static const char *late_name(const struct process *process, uint64_t offset, bool is_caller)
{
	const struct frame unnamed = {
		.kind = FRAME_JIT, .module = "[anon]", .address = PLACE + offset};

	if (!late_names__name(symbols__late(symbols), process->instance, &unnamed, is_caller,
			      &frame))
		return NULL;
	EXPECT_STR(frame.module, "[anon]");
	EXPECT_EQ(frame.address, PLACE + offset);
	return frame.function;
}

static void want(const struct process *process, uint64_t offset, bool is_caller)
{
	const struct late_window window = {1, monotonic_ns()};
	struct image *image = symbols__image(symbols, process);

	symbols__resolve(symbols, image, PLACE + offset, is_caller, &frame);
	EXPECT(frame__may_be_told(&frame));
	symbols__want_name(image, &frame, is_caller, &window);
}

/* Each process has its own late names; also one that is gone, if it has told before its end. */
static void test_late_names(void)
{
	struct jit_process child = begin('m');
	struct process process = process_of(&child);
	const struct process other = {.instance = 5, .pid = child.pid};

	process.instance = 4;
	want(&process, 0x108, false);
	want(&process, 0x200, true);
	want(&process, 0x300, true);
	EXPECT_EQ(symbols__late(symbols)->bounds.nr_named, 0);
	EXPECT_STR(late_name(&process, 0x108, false), NULL);
	write_to(map_path, "w", "10000100 100 _ZN3app3runEv\n10000300 100 later\n");
	kill_child(&child);
	tell(PROCESS_EXITED, child.pid, 0);
	symbols__look_again(symbols);
	EXPECT_EQ(symbols__late(symbols)->bounds.nr_named, 2);
	EXPECT_STR(late_name(&process, 0x108, false), "app::run()");
	EXPECT_EQ(frame.offset, 8);
	EXPECT_STR(late_name(&process, 0x200, true), "app::run()");
	EXPECT_EQ(frame.offset, 0x100);
	EXPECT_STR(late_name(&process, 0x300, true), NULL);  /* behind the call */
	EXPECT_STR(late_name(&process, 0x10a, false), NULL); /* not asked for */
	EXPECT_STR(late_name(&other, 0x108, false), NULL);
	EXPECT_EQ(late_names__nr_reused(symbols__late(symbols)), 0);
	end(&child);
}

/* A process is looked at once more before it is forgotten, and its names are kept. */
static void test_late_names_of_forgotten(void)
{
	struct jit_process child = begin('m');
	struct process process = process_of(&child);

	process.instance = 4;
	want(&process, 0x108, false);
	symbols__forget(symbols, 0); /* it has no samples from here on */
	write_to(map_path, "w", "10000100 100 at_the_end\n");
	reap(&child);
	tell(PROCESS_EXITED, child.pid, 0);
	symbols__forget(symbols, monotonic_ns());
	symbols__forget(symbols, monotonic_ns());
	EXPECT_STR(late_name(&process, 0x108, false), "at_the_end");
	symbols__free(symbols);
	unlink(map_path);
}

/* ---- owners of maps ---- */

static void test_owner(void)
{
	struct jit_process child = begin('m');

	write_to(map_path, "w", "10000100 100 planted\n");
	if (geteuid() == 0) {
		EXPECT_EQ(chown(map_path, STRANGER, STRANGER), 0);
		EXPECT_STR(name_at(&child, 0x100), NULL);
		EXPECT_EQ(unread, -EACCES);
		EXPECT_STR(name_at(&child, 0x100), NULL);
		EXPECT_EQ(told.nr, 1);
		EXPECT_EQ(told.code, -EPERM);
		EXPECT_STR(told.path, map_path);
		EXPECT_EQ(chown(map_path, 0, 0), 0);
	}
	EXPECT_STR(name_at(&child, 0x100), "planted");
	EXPECT_EQ(unread, 0);
	end(&child);
}

/* A user's process believes that user and root. */
static void test_owner_of_other_user(void)
{
	struct jit_process child;

	if (geteuid() != 0)
		return;
	EXPECT_EQ(seteuid(STRANGER), 0);
	child = begin('m');
	EXPECT_EQ(seteuid(0), 0);
	write_to(map_path, "w", "10000100 100 planted\n");
	EXPECT_EQ(chown(map_path, STRANGER + 1, STRANGER), 0);
	EXPECT_STR(name_at(&child, 0x100), NULL);
	EXPECT_EQ(chown(map_path, STRANGER, STRANGER), 0);
	EXPECT_STR(name_at(&child, 0x100), "planted");
	end(&child);
}

static void test_no_regular_files(void)
{
	struct jit_process child = begin('m');

	EXPECT_EQ(mkfifo(map_path, 0600), 0);
	EXPECT_STR(name_at(&child, 0x100), NULL); /* and does not wait for a writer */
	EXPECT_EQ(unlink(map_path), 0);
	scratch_write("map", "10000100 100 elsewhere\n");
	EXPECT_EQ(symlink(scratch_path("map"), map_path), 0);
	EXPECT_STR(name_at(&child, 0x100), NULL);
	EXPECT_EQ(unlink(map_path), 0);
	EXPECT_EQ(link(scratch_path("map"), map_path), 0);
	EXPECT_EQ(told.nr, 0);
	EXPECT_STR(name_at(&child, 0x100), NULL);
	EXPECT_EQ(told.code, -EMLINK);
	scratch_run("rm map");
	EXPECT_STR(name_at(&child, 0x100), "elsewhere");
	EXPECT_EQ(unlink(map_path), 0);
	end(&child);
	EXPECT_EQ(mkdir(map_path, 0700), 0);
	EXPECT_EQ(rmdir(map_path), 0);
}

/* The map is left over from a process that had the pid before. */
static void test_old_map(void)
{
	struct jit_process child;

	scratch_write("old", "10000100 100 of_another\n");
	usleep(SETTLE_US);
	child = begin('m');
	EXPECT_EQ(rename(scratch_path("old"), map_path), 0);
	EXPECT_STR(name_at(&child, 0x100), NULL);
	write_to(map_path, "w", "10000100 100 its_own\n");
	EXPECT_STR(name_at(&child, 0x100), "its_own");
	end(&child);
}

/* The same process runs another program, and that has not written a map yet. */
static void test_exec(void)
{
	struct jit_process child = begin('m');
	struct process before;

	write_to(map_path, "w", "10000100 100 old_program\n");
	EXPECT_STR(name_at(&child, 0x100), "old_program");
	before = process_of(&child);
	usleep(SETTLE_US);
	tell(PROCESS_EXECED, child.pid, 0);
	tell(PROCESS_MAPPED, child.pid, 0);
	EXPECT_STR(name_at(&child, 0x100), NULL);
	EXPECT_STR(frame.module, "[anon]");
	EXPECT_STR(name_in(&before, 0x100), "old_program");
	write_to(map_path, "w", "10000100 100 new_program\n");
	EXPECT_STR(name_at(&child, 0x100), "new_program");
	end(&child);
}

/* A child has its parent's code, but its use of that memory is not known. */
static void test_fork(void)
{
	struct jit_process child = begin('m');
	const int32_t nobody = 0x40000000; /* above every pid_max */
	struct process grandchild = {.pid = nobody, .start_ns = 5};

	write_to(map_path, "w", "10000100 100 parent\n");
	EXPECT_STR(name_at(&child, 0x100), "parent");
	tell(PROCESS_FORKED, nobody, child.pid);
	grandchild.seen_ns = monotonic_ns();
	EXPECT_STR(name_in(&grandchild, 0x100), NULL);
	EXPECT_STR(frame.module, "[anon]");
	end(&child);
}

/* ---- processes that are gone ---- */

static void test_gone(void)
{
	struct jit_process child = begin('m');
	const struct process process = process_of(&child);

	write_to(map_path, "w", "10000100 100 early\n");
	EXPECT_STR(name_at(&child, 0x100), "early");
	write_to(map_path, "a", "10000200 100 late\n");
	reap(&child);
	EXPECT_STR(name_in(&process, 0x200), "late");
	EXPECT_STR(name_in(&process, 0x100), "early");
	symbols__free(symbols);
	unlink(map_path);
}

/*
 * The process was not asked for while it lived: its map is of our own root and user, and written in
 * its time.
 */
static void test_gone_before(void)
{
	struct jit_process child = begin('m');
	const struct process process = process_of(&child);
	const struct timespec later[] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) - 1000000}};

	EXPECT_EQ(symbols__read_process(symbols, child.pid), 0);
	write_to(map_path, "w", "10000100 100 early\n");
	kill_child(&child);
	EXPECT_STR(name_in(&process, 0x100), "early"); /* a zombie */
	symbols__free(symbols);

	symbols = symbols__new(&(struct symbols_options){.readers = readers});
	EXPECT_EQ(symbols__read_process(symbols, child.pid), 0);
	tell(PROCESS_MAPPED, child.pid, 0);
	reap(&child);
	EXPECT_EQ(utimensat(AT_FDCWD, map_path, later, 0), 0); /* its birth counts */
	EXPECT_STR(name_in(&process, 0x100), "early");
	symbols__free(symbols);
	unlink(map_path);
}

static void test_after_the_end(void)
{
	struct jit_process child = begin('m');
	const struct process process = process_of(&child);

	EXPECT_EQ(symbols__read_process(symbols, child.pid), 0);
	reap(&child);
	tell(PROCESS_EXITED, child.pid, 0);
	usleep(1100000);
	write_to(map_path, "w", "10000100 100 of_another\n");
	EXPECT_STR(name_in(&process, 0x100), NULL);
	EXPECT_STR(frame.module, "[anon]");
	symbols__free(symbols);
	unlink(map_path);
}

/* ---- jitdump ---- */

static void write_dump(const char *path, uint64_t start, uint64_t bytes, const char *name)
{
	const uint32_t header[10] = {0x4a695444, 1, 40, 62};
	const uint32_t record[4] = {0, (uint32_t)(56 + strlen(name) + 1)};
	const uint64_t load[5] = {0, start, start, bytes, 1};
	FILE *file = fopen(path, "a");

	EXPECT(file != NULL);
	if (ftell(file) == 0)
		fwrite(header, sizeof(header), 1, file);
	fwrite(record, sizeof(record), 1, file);
	fwrite(load, sizeof(load), 1, file);
	fwrite(name, strlen(name) + 1, 1, file);
	EXPECT_EQ(fclose(file), 0);
}

static void test_dump(void)
{
	struct jit_process child = begin('m');
	char path[96];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", scratch_directory, child.pid);
	write_dump(path, PLACE + 0x100, 0x100, "dumped");
	order(&child, 'd');
	EXPECT_STR(name_at(&child, 0x180), "dumped");
	EXPECT_EQ(frame.kind, FRAME_JIT);
	EXPECT_EQ(frame.offset, 0x80);
	write_dump(path, PLACE + 0x400, 0x100, "later");
	EXPECT_STR(name_at(&child, 0x400), "later");
	write_to(map_path, "w", "10000100 100 mapped\n10000600 100 in_map\n");
	EXPECT_STR(name_at(&child, 0x100), "dumped");
	EXPECT_STR(name_at(&child, 0x600), "in_map");
	end(&child);
}

/* A file of that name that is not mapped is no dump, nor is one of another process. */
static void test_other_dumps(void)
{
	struct jit_process child = begin('m');
	char path[96];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", scratch_directory, child.pid);
	write_dump(path, PLACE + 0x100, 0x100, "not_mapped");
	EXPECT_STR(name_at(&child, 0x100), NULL);
	snprintf(path, sizeof(path), "%s/jit-%d.dump", scratch_directory, getpid());
	write_dump(path, PLACE + 0x100, 0x100, "of_its_parent");
	EXPECT(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, open(path, O_RDONLY), 0) !=
	       MAP_FAILED);
	end(&child);
	child = begin('m'); /* with its parent's mapping of it */
	EXPECT_STR(name_at(&child, 0x100), NULL);
	end(&child);
}

int main(void)
{
	static const struct test tests[] = {
		{"names", test_names},
		{"callers", test_callers},
		{"versions", test_versions},
		{"a map that is replaced", test_replaced_map},
		{"other mappings", test_other_mappings},
		{"memory that becomes code", test_protection},
		{"names that come late", test_late_names},
		{"a process that is forgotten", test_late_names_of_forgotten},
		{"the owner of a map", test_owner},
		{"the owner of another user's map", test_owner_of_other_user},
		{"no regular files", test_no_regular_files},
		{"an old map", test_old_map},
		{"exec", test_exec},
		{"fork", test_fork},
		{"a process that is gone", test_gone},
		{"a process that was gone before", test_gone_before},
		{"a map written after the end", test_after_the_end},
		{"jitdump", test_dump},
		{"other files named jitdump", test_other_dumps},
		{0},
	};

	int code;

	scratch_create();
	if (readers__start(&readers, jobs__find))
		return 1;
	code = run_tests("jit", tests);
	readers__stop(readers);
	return code;
}
