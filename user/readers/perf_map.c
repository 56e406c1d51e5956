// SPDX-License-Identifier: GPL-2.0-only
/*
 *	7f49dc0062c0 180 JS:*fib /srv/app.js:1:13
 *	0x00007fc4f0ec7620 0x00000000000002d8 int Hot.mixA(int)
 *	start        size name, to the end of the line
 *
 * Numbers are hexadecimal. Other lines are no functions. A line without an end is still being
 * written; lines of Windows end in \r\n.
 */
#include <ctype.h>
#include <sys/stat.h>
#include <unistd.h>

#include "readers/jit_files.h"

#define BUFFER_BYTES   JIT_MIN_ALLOWANCE
#define MAX_FILE_BYTES (64U << 20) /* of a longer file only the end is read: the newest functions */

/* ---- lines ---- */

/* Parses a number. Returns the text behind it and its blanks; NULL: there is none. */
static const char *parse_number(const char *text, const char *end, uint64_t *number)
{
	const char *first;
	int digit;

	if (end - text > 2 && text[0] == '0' && tolower((unsigned char)text[1]) == 'x')
		text += 2;
	for (*number = 0, first = text; text < end; text++, *number = *number << 4 | digit) {
		digit = hex_digit((char)tolower((unsigned char)*text));
		if (digit < 0)
			break;
		if (*number >> 60)
			return NULL;
	}
	if (text == first || text == end || (*text != ' ' && *text != '\t'))
		return NULL;
	while (text < end && (*text == ' ' || *text == '\t'))
		text++;
	return text;
}

static void take_line(struct jit_told *told, const char *line, const char *end)
{
	struct jit_record record = {.operation = JIT_ADD};
	const char *text = parse_number(line, end, &record.start);

	if (text)
		text = parse_number(text, end, &record.size);
	if (!text)
		return;
	end -= end > text && end[-1] == '\r';
	record.name_bytes = (uint32_t)(end - text);
	jit_told__add(told, &record, text);
}

/*
 * Takes whole lines, or a part of a line longer than the buffer. Returns the number of bytes taken.
 */
static size_t take_text(struct perf_map *map, struct jit_told *told, const char *text, size_t bytes)
{
	const char *const end = text + bytes;
	const char *line = text, *newline;

	for (; (newline = memchr(line, '\n', (size_t)(end - line))); line = newline + 1) {
		if (!map->in_long_line)
			take_line(told, line, newline);
		map->in_long_line = false;
	}
	if (line == text && bytes == BUFFER_BYTES && !map->in_long_line) {
		take_line(told, text, end);
		map->in_long_line = true;
	}
	return map->in_long_line ? bytes : (size_t)(line - text);
}

/* ---- files ---- */

/*
 * Whether the file still has the text read before: a rewritten file may be longer than the old one.
 */
static bool is_same_text(const struct perf_map *map, int fd, uint64_t size)
{
	char tail[PERF_MAP_TAIL_BYTES];
	const ssize_t wanted = (ssize_t)map->tail_bytes;

	if (size < map->taken)
		return false;
	return pread(fd, tail, map->tail_bytes, (off_t)(map->taken - map->tail_bytes)) == wanted &&
	       !memcmp(tail, map->tail, map->tail_bytes);
}

bool perf_map__read(struct perf_map *map, int fd, struct jit_told *told, size_t *allowance)
{
	char text[BUFFER_BYTES];
	bool has_changed = false;
	struct stat status;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		return false;
	if (!is_same_text(map, fd, (uint64_t)status.st_size)) {
		*map = (struct perf_map){0};
		jit_told__add(told, &(struct jit_record){.operation = JIT_CLEAR}, NULL);
		has_changed = true;
	}
	if ((uint64_t)status.st_size - map->taken > MAX_FILE_BYTES)
		*map = (struct perf_map){.taken = (uint64_t)status.st_size - MAX_FILE_BYTES,
					 .in_long_line = true};
	while (*allowance >= sizeof(text) && !jit_told__is_much(told)) {
		ssize_t got = pread(fd, text, sizeof(text), (off_t)map->taken);
		size_t taken = got > 0 ? take_text(map, told, text, (size_t)got) : 0;

		if (!taken)
			break;
		map->tail_bytes = taken < sizeof(map->tail) ? taken : sizeof(map->tail);
		memcpy(map->tail, text + taken - map->tail_bytes, map->tail_bytes);
		map->taken += taken;
		*allowance -= taken;
		has_changed = true;
	}
	return has_changed;
}
