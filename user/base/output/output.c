// SPDX-License-Identifier: GPL-2.0-only
/*
 * Standard streams. A profile that a full disk has cut off must not look complete, so the end of
 * the program checks whether standard output took all data; but the early end of `topstacks | head`
 * is no error.
 */
#include "base/output/output.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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
	signal(SIGXFSZ, SIG_IGN); /* exceeding the limit of file size is a failed write */
}

int output__finish(struct error *err)
{
	/* stdio forgets the errno of an earlier failed write; the pipe still tells. */
	struct pollfd pipe = {.fd = STDOUT_FILENO};
	const bool is_reader_gone = poll(&pipe, 1, 0) == 1 && pipe.revents & (POLLERR | POLLHUP);
	const bool failed = ferror(stdout);
	int code = fflush(stdout) ? -errno : 0, copy;

	/*
	 * Some file systems report a failed write only when the file is closed. A copy is closed
	 * for that, as a full-screen view that was abandoned may still draw and use the descriptor.
	 */
	if (!code) {
		copy = dup(STDOUT_FILENO);
		code = copy >= 0 && close(copy) ? -errno : 0;
	}
	if (code == -EPIPE || (is_reader_gone && (failed || code)))
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
