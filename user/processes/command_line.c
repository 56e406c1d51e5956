// SPDX-License-Identifier: GPL-2.0-only
#include "processes/command_line.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/files.h"
#include "processes/opener.h"
#include "processes/process.h"
#include "processes/procfs.h"

#define MAX_BYTES  4096 /* of a command line; the rest is cut off */
#define MAX_CACHED 1024

struct command_line {
	struct map_number image;
	char *text; /* or NULL */
};

struct command_lines {
	struct map known;
};

/* ---- in the opener ---- */

/* Reads the beginning of a file. Returns the number of bytes, or negative errno. */
static ssize_t read_begin(int process, const char *name, char *bytes, size_t size)
{
	const int fd = procfs__open_file(process, name, O_RDONLY);
	size_t length = 0;
	ssize_t got = 1;

	if (fd < 0)
		return -errno;
	while (got > 0 && length < size) {
		got = read(fd, bytes + length, size - length);
		if (got < 0)
			got = errno == EINTR ? 1 : -errno;
		else
			length += (size_t)got;
	}
	close(fd);
	return got < 0 ? got : (ssize_t)length;
}

/*
 * Reads the command line, then the name: if that is unchanged, the program was the same meanwhile.
 */
static int read_process(int process, char *bytes, size_t *length)
{
	char comm[PROCESS_COMM_SIZE + 1];
	ssize_t got = read_begin(process, "cmdline", bytes + PROCESS_COMM_SIZE, MAX_BYTES);

	if (got < 0)
		return (int)got;
	*length = PROCESS_COMM_SIZE + (size_t)got;
	got = read_begin(process, "comm", comm, sizeof(comm));
	if (got <= 0)
		return got ? (int)got : -ESRCH;
	memcpy(bytes, comm, (size_t)got - 1); /* without the newline */
	return 0;
}

int command_line__copy(int process)
{
	char bytes[PROCESS_COMM_SIZE + MAX_BYTES] = {0};
	size_t length = 0;
	int code = read_process(process, bytes, &length), text;

	if (code)
		return code;
	text = memfd_create(COMMAND_LINE_FILE, MFD_CLOEXEC);
	if (text < 0)
		return -errno;
	code = files__write(text, bytes, length);
	if (!code && !lseek(text, 0, SEEK_SET))
		return text;
	close(text);
	return code ? code : -EIO;
}

/* ---- life ---- */

static void free_line(void *item)
{
	struct command_line *line = item;

	free(line->text);
	free(line);
}

struct command_lines *command_lines__new(void)
{
	struct command_lines *lines = calloc(1, sizeof(*lines));

	if (lines && map__init_numbers(&lines->known, free_line)) {
		free(lines);
		return NULL;
	}
	return lines;
}

void command_lines__free(struct command_lines *lines)
{
	if (!lines)
		return;
	map__fini(&lines->known);
	free(lines);
}

/* ---- asking ---- */

/*
 * Joins "cc1\0-quiet\0main.c\0" with spaces. A title that a process gave itself may end in many
 * zeros.
 */
static char *join(const char *bytes, size_t length)
{
	char *text;

	while (length && !bytes[length - 1])
		length--;
	text = length ? malloc(length + 1) : NULL;
	if (!text)
		return NULL;
	for (size_t i = 0; i < length; i++)
		text[i] = bytes[i] ? bytes[i] : ' ';
	text[length] = '\0';
	return text;
}

static char *read_line(const struct process *process, struct opener *opener, struct hurry *hurry)
{
	const struct mapped_by by = {.pid = process->pid,
				     .start_ticks = procfs__ticks(process->start_ns)};
	const struct opening opening = {
		.kind = OPENING_PROCESS, .by = &by, .path = COMMAND_LINE_FILE};
	const int fd = opener__open(opener, &opening, hurry);
	char *bytes = NULL, *text = NULL;
	size_t length = 0;

	if (fd < 0)
		return NULL;
	if (!files__read_fd(fd, PROCESS_COMM_SIZE + MAX_BYTES + 1, &bytes, &length) &&
	    length > PROCESS_COMM_SIZE && !strncmp(bytes, process->comm, PROCESS_COMM_SIZE))
		text = join(bytes + PROCESS_COMM_SIZE, length - PROCESS_COMM_SIZE);
	free(bytes);
	close(fd);
	return text;
}

static struct command_line *add(struct command_lines *lines, const struct process *process,
				struct opener *opener, struct hurry *hurry)
{
	struct command_line *line = malloc(sizeof(*line));

	if (!line)
		return NULL;
	line->image = map__number(&lines->known, process->instance);
	line->text = read_line(process, opener, hurry);
	if (!map__add(&lines->known, &line->image.item))
		return line;
	free_line(line);
	return NULL;
}

const char *command_lines__find(struct command_lines *lines, const struct process *process,
				struct opener *opener, struct hurry *hurry)
{
	const struct command_line *line;

	if (process->kernel_thread || process->pid <= 0)
		return NULL;
	if (map__nr_items(&lines->known) >= MAX_CACHED)
		map__clear(&lines->known);
	line = map__find_number(&lines->known, process->instance);
	if (!line)
		line = add(lines, process, opener, hurry);
	return line ? line->text : NULL;
}
