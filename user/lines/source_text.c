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

static bool is_answered(const struct source_places *places, int root, const char *path)
{
	const struct opening opening = {.kind = OPENING_BELOW, .root = root, .path = path};
	struct hurry hurry = {.left_ns = MAX_NS};
	const int fd = opener__open(places->opener, &opening, &hurry);

	if (fd >= 0)
		close(fd);
	return fd != -ETIMEDOUT && fd != -EAGAIN;
}

/*
 * Opens a file with the caller's rights, as an opener may have more. If the path is untrusted, an
 * opener tries it first, which can be abandoned if the file system does not answer. A descriptor or
 * negative errno.
 */
static int open_in(const struct source_places *places, const char *directory, const char *path,
		   bool is_told)
{
	const int root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = root < 0 ? -errno : -ETIMEDOUT;

	if (root >= 0 && (!is_told || is_answered(places, root, path)))
		fd = open_file__below(root, path, true);
	if (root >= 0)
		close(root);
	return fd;
}

/* Tries "DIR/build/x/src/a.c", then "DIR/x/src/a.c", "DIR/src/a.c", "DIR/a.c". */
static int open_named(const struct source_places *places, const char *path)
{
	int fd = -ENOENT;

	while (fd == -ENOENT && path) {
		path += strspn(path, "/");
		fd = *path ? open_in(places, places->directory, path, false) : -ENOENT;
		path = strchr(path, '/');
	}
	return fd;
}

/*
 * Checks that all users may read the file if we are root: an untrusted path may lead to a secret,
 * such as a key.
 */
static int check_told(int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	return geteuid() || status.st_mode & S_IROTH ? 0 : -EACCES;
}

static int open_told(const struct source_places *places, const char *path)
{
	const int fd = *path == '/' ? open_in(places, "/", path, true) : -ENOENT;
	const int code = fd < 0 ? fd : check_told(fd);

	if (code && fd >= 0)
		close(fd);
	return code ? code : fd;
}

static int open_source(const struct source_places *places, const char *path)
{
	const int fd = places->directory ? open_named(places, path) : -ENOENT;

	return fd == -ENOENT ? open_told(places, path) : fd;
}

/* ---- lines ---- */

static int add_line(struct source_text *text, size_t *capacity, const char *line)
{
	if (text->nr_lines >= MAX_LINES)
		return -EFBIG;
	if (array__reserve(&text->lines, capacity, text->nr_lines + 1))
		return -ENOMEM;
	text->lines[text->nr_lines++] = line;
	return 0;
}

static int split(struct source_text *text, size_t length)
{
	char *next = text->bytes, *end = text->bytes + length;
	size_t capacity = 0;
	int code = memchr(text->bytes, '\0', length) ? -EILSEQ : 0;

	while (!code && next < end) {
		char *newline = memchr(next, '\n', (size_t)(end - next));

		code = add_line(text, &capacity, next);
		if (!newline)
			break;
		*newline = '\0';
		if (newline > next && newline[-1] == '\r')
			newline[-1] = '\0';
		next = newline + 1;
	}
	return code;
}

static int take_answer(struct source_text *text, const struct reader_answer *answer)
{
	text->bytes = malloc(answer->nr_bytes + 1);
	if (!text->bytes)
		return -ENOMEM;
	if (answer->nr_bytes)
		memcpy(text->bytes, answer->bytes, answer->nr_bytes);
	text->bytes[answer->nr_bytes] = '\0';
	return split(text, answer->nr_bytes);
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
	if (!code)
		code = take_answer(text, &answer);
	reader_answer__free(&answer);
	return code;
}

int source_text__read(struct source_text *text, const struct source_places *places,
		      const char *path)
{
	const int fd = open_source(places, path);
	struct file_identity identity;
	int code = fd < 0 ? fd : 0;

	*text = (struct source_text){0};
	if (!code)
		code = file__identify(fd, &identity);
	if (!code)
		code = read_file(text, places, fd);
	if (fd >= 0)
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
