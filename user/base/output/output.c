// SPDX-License-Identifier: GPL-2.0-only
/*
 * Standard streams. A profile that was cut by a full disk must not look like a whole one, so
 * standard output is asked at the end whether it took everything; but `topstacks | head` is no
 * error of anybody's.
 */
#include "base/output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/plain.h"

void output__prepare(void)
{
	FILE *plain;
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
	plain = plain__begin(stderr);
	if (plain && plain != stderr) {
		setvbuf(plain, NULL, _IONBF, 0);
		stderr = plain; /* glibc: a variable like any other */
	}
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a failed write */
}

/* stdio forgets the errno of a write that failed earlier; the pipe remembers. */
static bool is_reader_gone(void)
{
	struct pollfd pipe = {.fd = STDOUT_FILENO};

	return poll(&pipe, 1, 0) == 1 && pipe.revents & (POLLERR | POLLHUP);
}

/*
 * Some file systems tell only when a file is closed that they did not take it. A view that was left
 * behind may still draw, and keeps its descriptor: a copy is closed.
 */
static int flush(void)
{
	int copy;

	if (fflush(stdout))
		return -errno;
	copy = dup(STDOUT_FILENO);
	return copy >= 0 && close(copy) ? -errno : 0;
}

int output__finish(struct error *err)
{
	bool gone = is_reader_gone();
	bool failed = ferror(stdout);
	int code = flush();

	if (code == -EPIPE || (gone && (failed || code)))
		return 0;
	if (code)
		return error__set(err, EXIT_INTERNAL, code, "cannot write standard output");
	if (failed)
		return error__say(err, EXIT_INTERNAL, -EIO,
				  "cannot write standard output: it did not take everything");
	return 0;
}

void output__print_error(const struct error *err)
{
	fprintf(stderr, "topstacks: %s\n", err->text);
}
