// SPDX-License-Identifier: GPL-2.0-only
/*
 * The handler runs where openat() was called, not at any moment: it may use the channel. Whoever
 * asks for anything else than a .dwo file hears that there is none.
 */
#include "readers/split_files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ucontext.h>
#include <ucontext.h>

#include "readers/jobs.h"

#define SUFFIX ".dwo"

/* A handler of signals has no arguments of ours. */
static const struct reader_task *asking;
static const char *expected;

/* The second argument of the system call, and where its result goes. */
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
	return reader__ask(asking, &question);
}

/* Where the compiler put it below the directory that it ran in, or beside the file. */
static int find(const char *path)
{
	const char *slash = strrchr(path, '/');
	int fd = -ENOENT;

	if (expected && expected[0] != '/' && strchr(expected, '/') && !strstr(expected, ".."))
		fd = ask(expected);
	return fd < 0 ? ask(slash ? slash + 1 : path) : fd;
}

void split_files__expect(const char *name)
{
	expected = name;
}

static void open_instead(int number, siginfo_t *info, void *context)
{
	ucontext_t *registers = context;

	(void)number;
	(void)info;
	RESULT(registers) =
		find((const char *)ARGUMENT(registers)); /* NOLINT(performance-no-int-to-ptr) */
}

void split_files__ask_for(const struct reader_task *task)
{
	struct sigaction action = {.sa_sigaction = open_instead, .sa_flags = SA_SIGINFO};

	asking = task;
	expected = NULL;
	sigaction(SIGSYS, &action, NULL);
}
