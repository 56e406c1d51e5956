// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the line of an instruction and the name of a code object from copied bytes, which may be
 * anything. The input is a head, and then the table or the characters.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "interpreters/code_lines.h"
#include "interpreters/code_text.h"
#include "require.h"

#define ELLIPSIS "…"

struct head {
	uint8_t kind, is_cut, width, room;
	uint32_t index, first_line;
	uint16_t cut_at;
} __attribute__((packed));

/*
 * Requires that a line that was known from fewer bytes of the table stays the same with more of
 * them.
 */
static void check_lines(const struct head *head, const uint8_t *bytes, size_t size)
{
	struct code_lines_table table = {
		.kind = (enum code_lines)(head->kind % (CODE_LINES_KINDS + 1)),
		.bytes = bytes,
		.nr_bytes = size,
		.is_cut = head->is_cut & 1,
		.first_line = head->first_line,
	};
	const uint32_t line = code_lines__find(&table, head->index);
	const size_t nr_bytes = size ? head->cut_at % size : 0;
	uint8_t *fewer = copy_of(bytes, nr_bytes);
	uint32_t known;

	require(line <= INT32_MAX);
	require(table.kind != CODE_LINES_KINDS || line == 0);
	table.bytes = fewer;
	table.nr_bytes = nr_bytes;
	table.is_cut = true;
	known = code_lines__find(&table, head->index);
	require(known == 0 || known == line);
	free(fewer);
}

static bool ends_in_ellipsis(const char *to, size_t length)
{
	const size_t nr = strlen(ELLIPSIS);

	return length >= nr && !memcmp(to + length - nr, ELLIPSIS, nr);
}

/* Returns the number of characters. */
static size_t require_utf8(const char *to)
{
	size_t nr = 0;
	uint32_t code;

	for (; *to; nr++) {
		to += character__decode(to, &code);
		require(code != NOT_UTF8);
	}
	return nr;
}

static size_t check_text(const struct code_text *text, const char *bytes, size_t size)
{
	char *to = malloc(size);
	size_t length, nr;

	require(to != NULL);
	length = code_text__write(text, bytes, to, size);
	require(length < size && strlen(to) == length);
	if (text->is_cut && size >= sizeof(ELLIPSIS))
		require(ends_in_ellipsis(to, length));
	nr = require_utf8(to);
	free(to);
	return nr;
}

static void check_texts(const struct head *head, const char *bytes, size_t size)
{
	const struct code_text text = {
		.nr_bytes = (uint16_t)(size < UINT16_MAX ? size : UINT16_MAX),
		.width = head->width,
		.is_cut = head->is_cut >> 1 & 1,
	};
	size_t nr;

	check_text(&text, bytes, 1 + (size_t)head->room);
	nr = check_text(&text, bytes, CODE_TEXT_SIZE((size_t)text.nr_bytes));
	if (text.width == 1 || text.width == 2 || text.width == 4) /* nothing is left out */
		require(nr == ((size_t)text.nr_bytes + text.width - 1) / text.width + text.is_cut);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct head head;
	uint8_t *bytes;

	if (size < sizeof(head))
		return 0;
	memcpy(&head, data, sizeof(head));
	size -= sizeof(head);
	bytes = copy_of(data + sizeof(head), size);
	check_lines(&head, bytes, size);
	check_texts(&head, (const char *)bytes, size);
	free(bytes);
	return 0;
}
