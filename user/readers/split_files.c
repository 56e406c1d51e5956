// SPDX-License-Identifier: GPL-2.0-only
/*
 * The handler runs where openat() was called, not at any moment, so it may use the channel. Other
 * paths than .dwo files do not exist for it.
 */
#include "readers/split_files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ucontext.h>
#include <ucontext.h>
#include <unistd.h>

#include "readers/jobs.h"
#include "readers/split_package.h"

#define SUFFIX ".dwo"

/* Global, as a signal handler gets no arguments of ours. */
static struct {
	const struct reader_task *task;
	const char *name;
	uint64_t id;
	bool has_asked;	  /* the package has been asked for */
	int package_file; /* negative: there is none */
	struct split_package package;
} expected;

/* The system call's second argument and its result, in the saved registers. */
#ifdef __x86_64__
#define ARGUMENT(context) ((context)->uc_mcontext.gregs[REG_RSI])
#define RESULT(context)	  ((context)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define ARGUMENT(context) ((context)->uc_mcontext.regs[1])
#define RESULT(context)	  ((context)->uc_mcontext.regs[0])
#else
#error "which registers does a system call have on this machine?"
#endif

static int ask(const char *name)
{
	struct reader_question question = {.kind = QUESTION_SPLIT};
	const size_t length = strlen(name);

	if (length >= sizeof(question.name) || length <= strlen(SUFFIX) ||
	    strcmp(name + length - strlen(SUFFIX), SUFFIX) != 0)
		return -ENOENT;
	memcpy(question.name, name, length);
	return reader__ask(expected.task, &question);
}

/* Extracts the unit from the package to a scratch file. */
static int take_from_package(void)
{
	const struct reader_question package = {.kind = QUESTION_PACKAGE, .name = "package"};
	struct reader_question question = {.kind = QUESTION_SCRATCH, .name = "unit"};
	size_t nr_bytes;
	void *unit;
	int fd;

	if (!expected.has_asked) {
		expected.has_asked = true;
		expected.package_file = reader__ask(expected.task, &package);
		if (expected.package_file >= 0)
			split_package__open(&expected.package, expected.package_file);
	}
	unit = split_package__unit(&expected.package, expected.id, &nr_bytes);
	if (!unit)
		return -ENOENT;
	question.index = (uint32_t)nr_bytes;
	fd = reader__ask(expected.task, &question);
	if (fd >= 0 && pwrite(fd, unit, nr_bytes, 0) != (ssize_t)nr_bytes) {
		close(fd);
		fd = -ENOENT;
	}
	free(unit);
	return fd;
}

void split_files__expect(const char *name, uint64_t id)
{
	expected.name = name;
	expected.id = id;
}

static void open_instead(int number, siginfo_t *info, void *context)
{
	ucontext_t *registers = context;
	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	const char *path = (const char *)ARGUMENT(registers), *slash = strrchr(path, '/');
	const char *name = expected.name;
	int fd = take_from_package();

	(void)number;
	(void)info;
	/* The unit may be below the compiler's directory, or beside the file; libdw checks its id. */
	if (fd < 0 && name && name[0] != '/' && strchr(name, '/') && !strstr(name, ".."))
		fd = ask(name);
	RESULT(registers) = fd < 0 ? ask(slash ? slash + 1 : path) : fd;
}

void split_files__begin(const struct reader_task *task)
{
	struct sigaction action = {.sa_sigaction = open_instead, .sa_flags = SA_SIGINFO};

	memset(&expected, 0, sizeof(expected));
	expected.task = task;
	expected.package_file = -1;
	sigaction(SIGSYS, &action, NULL);
}

void split_files__end(void)
{
	split_package__close(&expected.package);
	if (expected.package_file >= 0)
		close(expected.package_file);
}
