// SPDX-License-Identifier: GPL-2.0-only
#include "base/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES 4096
#define PATIENCE_MS 10000 /* for a FIFO without a writer */

/* Doubles the buffer, up to max_bytes and the final zero. */
static int grow(char **text, size_t *capacity, size_t max_bytes)
{
	size_t wanted = *capacity ? 2 * *capacity : FIRST_BYTES;
	char *more;

	if (*capacity == max_bytes + 1)
		return -EFBIG;
	if (wanted > max_bytes + 1)
		wanted = max_bytes + 1;
	more = realloc(*text, wanted);
	if (!more)
		return -ENOMEM;
	*text = more;
	*capacity = wanted;
	return 0;
}

int files__read_fd(int fd, size_t max_bytes, char **text, size_t *length)
{
	size_t capacity = 0, nr_read = 0;
	ssize_t got = 1;
	int code = 0;

	*text = NULL;
	while (!code && got) {
		if (nr_read + 1 >= capacity)
			code = grow(text, &capacity, max_bytes);
		got = code ? 0 : read(fd, *text + nr_read, capacity - 1 - nr_read);
		if (got < 0 && errno != EINTR)
			code = -errno;
		if (got > 0)
			nr_read += (size_t)got;
	}
	if (code) {
		free(*text);
		*text = NULL;
		return code;
	}
	(*text)[nr_read] = '\0';
	if (length)
		*length = nr_read;
	return 0;
}

int files__read(const char *path, size_t max_bytes, char **text, size_t *length)
{
	int code, fd;

	*text = NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	code = files__read_fd(fd, max_bytes, text, length);
	close(fd);
	return code;
}

/*
 * Waits for a writer to open the FIFO. It may then write whenever it likes. Whether there is one is
 * tested without reading: a pipe with a writer is empty, one without is at its end.
 */
static int wait_for_writer(int fd)
{
	struct pollfd wanted = {.fd = fd, .events = POLLIN};
	int nr, copy[2];
	bool has_writer;

	do
		nr = poll(&wanted, 1, PATIENCE_MS);
	while (nr < 0 && errno == EINTR);
	if (nr || pipe2(copy, O_CLOEXEC))
		return 0;
	has_writer = tee(fd, copy[1], 1, SPLICE_F_NONBLOCK) < 0;
	close(copy[0]);
	close(copy[1]);
	return has_writer ? 0 : -ENODATA;
}

int files__open_named(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	int code = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status))
		code = -errno;
	else if (S_ISFIFO(status.st_mode))
		code = wait_for_writer(fd);
	if (!code && fcntl(fd, F_SETFL, 0))
		code = -errno;
	if (!code)
		return fd;
	close(fd);
	return code;
}

int files__each_line(int fd, char *buffer, size_t size,
		     int (*on_line)(void *context, char *line, char *end), void *context)
{
	size_t left = 0;
	int code = 0;

	while (!code) {
		const ssize_t got = read(fd, buffer + left, size - left);
		char *line = buffer, *newline, *end;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : 0;
		end = buffer + left + got;
		for (; !code && (newline = memchr(line, '\n', (size_t)(end - line)));
		     line = newline + 1) {
			*newline = '\0';
			code = on_line(context, line, newline);
		}
		left = (size_t)(end - line);
		memmove(buffer, line, left);
		if (left == size)
			left = 0;
	}
	return code;
}

int files__write(int fd, const void *bytes, size_t nr_bytes)
{
	const char *from = bytes;

	while (nr_bytes) {
		const ssize_t nr = write(fd, from, nr_bytes);

		if (nr < 0 && errno == EINTR)
			continue;
		if (nr <= 0)
			return nr < 0 ? -errno : -EIO;
		from += nr;
		nr_bytes -= (size_t)nr;
	}
	return 0;
}

/* The slash to put between, so that "x/" and "x" give the same path. */
static const char *slash_after(const char *directory)
{
	const size_t length = strlen(directory);

	return length && directory[length - 1] == '/' ? "" : "/";
}

char *files__join(const char *directory, const char *name)
{
	return xasprintf("%s%s%s", directory, slash_after(directory), name);
}

char *files__pattern(const char *directory, const char *pattern)
{
	char *text = xmalloc(2 * strlen(directory) + strlen(pattern) + 2), *at = text;
	const char *slash = slash_after(directory);
	for (; *directory; directory++) {
		if (strchr("*?[]\\", *directory))
			*at++ = '\\';
		*at++ = *directory;
	}
	sprintf(at, "%s%s", slash, pattern);
	return text;
}
