// SPDX-License-Identifier: GPL-2.0-only
#include "processes/command_line.h"

#include <unistd.h>

#include "base/files.h"
#include "processes/open_file.h"
#include "processes/opener.h"
#include "processes/process.h"
#include "processes/procfs.h"

#define MAX_CACHED 1024

struct command_line {
	struct map_number image;
	char *text; /* or NULL */
};

struct command_lines {
	struct map known;
};

/* ---- life ---- */

static void free_line(void *item)
{
	struct command_line *line = item;

	free(line->text);
	free(line);
}

struct command_lines *command_lines__new(void)
{
	struct command_lines *lines = xcalloc(1, sizeof(*lines));

	map__init_numbers(&lines->known, free_line);
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
 * Returns "cc1 -quiet main.c" of "cc1\0-quiet\0main.c\0"; free() it. NULL: it is not known. A title
 * that a process gave itself may end in many zeros.
 */
static char *read_line(const struct process *process, struct opener *opener,
		       struct time_budget *budget)
{
	const struct mapped_by by = {.pid = process->pid,
				     .start_ticks = procfs__ticks(process->start_ns)};
	const struct opening opening = {
		.kind = OPENING_PROCESS, .by = &by, .path = COMMAND_LINE_FILE};
	const int fd = opener__open(opener, &opening, budget);
	char *bytes = NULL, *text = NULL;
	size_t length = 0;

	if (fd < 0)
		return NULL;
	if (!files__read_fd(fd, PROCESS_COMM_SIZE + COMMAND_LINE_MAX_BYTES + 1, &bytes, &length) &&
	    length > PROCESS_COMM_SIZE && !strncmp(bytes, process->comm, PROCESS_COMM_SIZE)) {
		while (length > PROCESS_COMM_SIZE && !bytes[length - 1])
			length--;
		for (size_t i = PROCESS_COMM_SIZE; i < length; i++)
			if (!bytes[i])
				bytes[i] = ' ';
		if (length > PROCESS_COMM_SIZE)
			text = xstrndup(bytes + PROCESS_COMM_SIZE, length - PROCESS_COMM_SIZE);
	}
	free(bytes);
	close(fd);
	return text;
}

const char *command_lines__find(struct command_lines *lines, const struct process *process,
				struct opener *opener, struct time_budget *budget)
{
	struct command_line *line;

	if (process->kernel_thread || process->pid <= 0)
		return NULL;
	if (map__nr_items(&lines->known) >= MAX_CACHED)
		map__clear(&lines->known);
	line = map__find_number(&lines->known, process->instance);
	if (!line) {
		line = map__add_number(&lines->known, process->instance, sizeof(*line));
		line->text = read_line(process, opener, budget);
	}
	return line->text;
}
