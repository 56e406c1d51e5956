// SPDX-License-Identifier: GPL-2.0-only
#include "lines/source_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/time_budget.h"
#include "processes/file.h"
#include "processes/open_file.h"
#include "processes/opener.h"
#include "readers/readers.h"

#define MAX_LINES 4000000
#define MAX_NS	  10000000000ULL

/* ---- opening ---- */

/*
 * Opens a file with the caller's rights, as an opener may have more. If the path is untrusted, an
 * opener tries it first, which can be abandoned if the file system does not answer. A descriptor or
 * negative errno.
 */
static int open_in(const struct source_places *places, const char *directory, const char *path,
		   bool is_told)
{
	const int root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	const struct opening opening = {.kind = OPENING_BELOW, .root = root, .path = path};
	struct time_budget budget = {.left_ns = MAX_NS};
	int fd = -ETIMEDOUT, tried = -ENOENT;

	if (root < 0)
		return -errno;
	if (is_told)
		tried = opener__open(places->opener, &opening, &budget);
	if (tried >= 0)
		close(tried);
	if (tried != -ETIMEDOUT && tried != -EAGAIN)
		fd = open_file__below(root, path, true);
	close(root);
	return fd;
}

/*
 * If we are root, all users must be able to read the file: an untrusted path may lead to a secret,
 * such as a key.
 */
static int open_told(const struct source_places *places, const char *path)
{
	const int fd = *path == '/' ? open_in(places, "/", path, true) : -ENOENT;
	struct stat status;
	int code = 0;

	if (fd < 0)
		return fd;
	if (fstat(fd, &status))
		code = -errno;
	else if (!geteuid() && !(status.st_mode & S_IROTH))
		code = -EACCES;
	if (code)
		close(fd);
	return code ? code : fd;
}

/* ---- lines ---- */

static int split(struct source_text *text, size_t length)
{
	char *next = text->bytes, *end = text->bytes + length;
	size_t capacity = 0;

	if (memchr(text->bytes, '\0', length))
		return -EILSEQ;
	while (next < end) {
		char *newline = memchr(next, '\n', (size_t)(end - next));

		if (text->nr_lines >= MAX_LINES)
			return -EFBIG;
		array__reserve(&text->lines, &capacity, text->nr_lines + 1);
		text->lines[text->nr_lines++] = next;
		if (!newline)
			break;
		*newline = '\0';
		if (newline > next && newline[-1] == '\r')
			newline[-1] = '\0';
		next = newline + 1;
	}
	return 0;
}

/* Reads with a reader, as the file system may block reading, too. */
static int read_file(struct source_text *text, const struct source_places *places, int fd)
{
	struct reading reading = {0};
	struct reader_answer answer = {0};
	struct reader_question ignored;
	int code = reading__start(&reading, places->readers, READ_TEXT, &fd, 1, NULL, 0);

	if (code)
		return code;
	if (reading__wait(&reading, monotonic_ns() + MAX_NS, &ignored) != READING_ENDED) {
		reading__close(&reading);
		return -ETIMEDOUT;
	}
	code = reading__finish(&reading, &answer);
	if (!code) {
		text->bytes = malloc(answer.nr_bytes + 1);
		code = text->bytes ? 0 : -ENOMEM;
	}
	if (!code) {
		if (answer.nr_bytes)
			memcpy(text->bytes, answer.bytes, answer.nr_bytes);
		text->bytes[answer.nr_bytes] = '\0';
		code = split(text, answer.nr_bytes);
	}
	reader_answer__free(&answer);
	return code;
}

int source_text__read(struct source_text *text, const struct source_places *places,
		      const char *path)
{
	const char *at = places->directory ? path : NULL;
	struct file_identity identity;
	int fd = -ENOENT, code;

	*text = (struct source_text){0};
	/* Tries "DIR/build/x/src/a.c", then "DIR/x/src/a.c", "DIR/src/a.c", "DIR/a.c". */
	for (; fd == -ENOENT && at; at = strchr(at, '/')) {
		at += strspn(at, "/");
		fd = *at ? open_in(places, places->directory, at, false) : -ENOENT;
	}
	if (fd == -ENOENT)
		fd = open_told(places, path);
	if (fd < 0)
		return fd;
	code = file__identify(fd, &identity);
	if (!code)
		code = read_file(text, places, fd);
	close(fd);
	if (code)
		source_text__free(text);
	else
		text->modified_ns = identity.modified_ns;
	return code;
}

void source_text__free(struct source_text *text)
{
	free(text->bytes);
	free(text->lines);
	*text = (struct source_text){0};
}
