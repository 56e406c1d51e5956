// SPDX-License-Identifier: GPL-2.0-only
/*
 * PHP without threads on x86-64, from 7.4 on; builds with threads have no executor_globals. Frames
 * of functions written in C are among the others; their zend_function begins like the others, but
 * is shorter.
 */

#include "elf/symbols.h"
#include "interpreters/kinds.h"

#define USER_FUNCTION 2
#define EVAL_CODE     4
#define CALL_TOP      (1U << 17) /* ZEND_CALL_TOP: execute_ex was called for this frame */

static const struct php_version {
	uint8_t major, minor;
	uint16_t file_at; /* in zend_op_array; the first line follows */
} versions[] = {
	{7, 4, 136}, {8, 0, 144}, {8, 1, 144}, {8, 2, 152}, {8, 3, 144}, {8, 4, 168},
};

static const struct interpreter structs = {
	.anchor_kind = ANCHOR_GLOBAL,
	.hops = {488}, /* current_execute_data */
	.nr_hops = 1,
	/* zend_execute_data */
	.position_kind = POSITION_LINE,
	.position_at = 0,
	.code_at = 24,
	.entry_kind = ENTRY_LAST,
	.entry_at = 40,
	.entry_mask = CALL_TOP,
	.entry_value = CALL_TOP,
	.back_at = 48,
	.instructions_at = 24, /* zend_op.lineno */
	/* zend_op_array */
	.name_at = 8,
	.hashed_name_at = 8,
	.owner_at = 16,	    /* a class, */
	.owner_name_at = 8, /* and its name */
	.cookie_at = NO_FIELD,
	.source_at = 0, /* zend_function.type */
	.source_mask = USER_FUNCTION | EVAL_CODE,
	.lines_kind = CODE_LINES_NONE,
	/* zend_string */
	.name_hash_at = 8,
	.string = {.length_at = 16, .state_at = NO_FIELD, .data_at = 24, .wide_at = 24},
};

enum {
	PLACE_GLOBALS,
	PLACE_LOOP,
	NR_PLACES,
};

int php__describe(struct elf_file *file, uint64_t base, struct interpreter *interpreter)
{
	struct named_place places[NR_PLACES] = {
		[PLACE_GLOBALS] = {.name = "executor_globals"},
		[PLACE_LOOP] = {.name = PHP_LOOP},
	};
	const struct php_version *version = NULL;
	unsigned int numbers[2];

	/* PHP sends its version in an HTTP header by default. */
	if (!contents__locate(file, places, NR_PLACES, NR_PLACES) ||
	    !contents__numbers(file, "X-Powered-By: PHP/", numbers, 2))
		return -ENOENT;
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]) && !version; i++)
		if (versions[i].major == numbers[0] && versions[i].minor == numbers[1])
			version = &versions[i];
	if (!version)
		return -ENOENT;
	*interpreter = structs;
	interpreter->major = version->major;
	interpreter->minor = version->minor;
	interpreter->file_at = version->file_at;
	interpreter->first_line_at = version->file_at + 8;
	interpreter->anchor = (int64_t)(places[PLACE_GLOBALS].address - base);
	return loops__find(file, base, &places[PLACE_LOOP], interpreter->loops);
}
