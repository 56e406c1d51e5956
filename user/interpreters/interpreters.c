// SPDX-License-Identifier: GPL-2.0-only
#include "interpreters/interpreters.h"

#include "elf/file.h"
#include "interpreters/kinds.h"
#include "topstacks/abi.h"

#define FIELD_BYTES   8U /* size of the longest field */
#define MAX_CODE_BITS 4	 /* objects are aligned to 16 */

/* No padding, as the struct is passed to another process and to the kernel. */
_Static_assert(offsetof(struct interpreter, source_mask) + 1 == sizeof(struct interpreter) &&
		       sizeof(struct interpreter) % 8 == 0,
	       "no padding, and the next field is aligned");

struct interpreter_kind {
	uint8_t language;	 /* enum word_language */
	const char *name, *loop; /* for people; the interpreter's loop function */
	bool has_aarch64;	 /* the description is also valid for aarch64 */
	/* 0; -ENOENT: not of this kind; -ENOMEM. */
	int (*describe)(struct elf_file *file, uint64_t base, struct interpreter *interpreter);
};

static const struct interpreter_kind kinds[] = {
	{LANGUAGE_PYTHON, "Python", PYTHON_LOOP, true, python__describe},
	{LANGUAGE_PHP, "PHP", PHP_LOOP, false, php__describe},
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* ---- fields ---- */

struct fields {
	uint16_t at[12];
	size_t nr;
};

static struct fields frame_fields(const struct interpreter *interpreter)
{
	return (struct fields){{interpreter->back_at, interpreter->code_at,
				interpreter->position_at, interpreter->entry_at},
			       4};
}

/*
 * Offsets in a code object. Cookie and owner may be missing; then another field takes their place.
 */
static struct fields code_fields(const struct interpreter *interpreter)
{
	const uint16_t name_at = interpreter->name_at;
	const uint16_t cookie_at = interpreter->cookie_at, owner_at = interpreter->owner_at;

	return (struct fields){{name_at, interpreter->hashed_name_at, interpreter->type_at,
				interpreter->file_at, interpreter->first_line_at,
				interpreter->lines_at, cookie_at == NO_FIELD ? name_at : cookie_at,
				owner_at == NO_FIELD ? name_at : owner_at, interpreter->source_at},
			       9};
}

/* Offsets in objects that the code object points to, or that a position points to. */
static struct fields other_fields(const struct interpreter *interpreter)
{
	const struct interpreter_string *string = &interpreter->string;
	const uint16_t state_at = string->state_at, owner_name_at = interpreter->owner_name_at;

	return (struct fields){{interpreter->name_hash_at, interpreter->lines_length_at,
				interpreter->lines_data_at, interpreter->instructions_at,
				string->length_at, string->data_at, string->wide_at,
				state_at == NO_FIELD ? 0 : state_at,
				interpreter->owner_at == NO_FIELD ? 0 : owner_name_at},
			       9};
}

static size_t end_of(struct fields fields)
{
	size_t end = 0;

	for (size_t i = 0; i < fields.nr; i++)
		if (fields.at[i] + FIELD_BYTES > end)
			end = fields.at[i] + FIELD_BYTES;
	return end;
}

/* ---- checks ---- */

bool interpreter__is_sane(const struct interpreter *interpreter)
{
	static const struct interpreter none;
	const struct interpreter_range *loops = interpreter->loops;

	if (interpreter->language == LANGUAGE_NONE)
		return !memcmp(interpreter, &none, sizeof(none));
	if (interpreter->language >= LANGUAGES || interpreter->anchor_kind >= INTERPRETER_ANCHORS ||
	    interpreter->entry_kind >= INTERPRETER_ENTRIES ||
	    interpreter->position_kind >= INTERPRETER_POSITIONS ||
	    interpreter->lines_kind >= CODE_LINES_KINDS || interpreter->code_bits > MAX_CODE_BITS ||
	    interpreter->string.state_shift >= 32)
		return false;

	if (!interpreter->nr_hops || interpreter->nr_hops > INTERPRETER_MAX_HOPS)
		return false;
	for (size_t i = 0; i < INTERPRETER_MAX_HOPS; i++)
		if (interpreter->hops[i] == NO_FIELD)
			return false;

	for (size_t i = 0; i < INTERPRETER_MAX_LOOPS; i++)
		if (loops[i].start > loops[i].end)
			return false;
	if (loops[0].start == loops[0].end)
		return false;

	return interpreter->frame_bytes <= INTERPRETER_FRAME_BYTES &&
	       end_of(frame_fields(interpreter)) <= interpreter->frame_bytes &&
	       interpreter->code_bytes <= INTERPRETER_CODE_BYTES &&
	       end_of(code_fields(interpreter)) <= interpreter->code_bytes &&
	       end_of(other_fields(interpreter)) <= INTERPRETER_CODE_BYTES;
}

/* ---- files ---- */

static uint16_t round_up(size_t nr_bytes)
{
	return (uint16_t)((nr_bytes + 7) / 8 * 8);
}

int interpreters__describe(struct elf_file *file, uint64_t base, struct interpreter *interpreter)
{
	const uint16_t machine = file->header.e_machine;
	const bool is_64 = file->header.e_ident[EI_CLASS] == ELFCLASS64;
	int code = -ENOENT;

	for (size_t i = 0; is_64 && i < NR_KINDS && code == -ENOENT; i++) {
		if (machine != EM_X86_64 && (machine != EM_AARCH64 || !kinds[i].has_aarch64))
			continue;
		*interpreter = (struct interpreter){0};
		code = kinds[i].describe(file, base, interpreter);
		if (code)
			continue;
		interpreter->language = kinds[i].language;
		interpreter->frame_bytes = round_up(end_of(frame_fields(interpreter)));
		interpreter->code_bytes = round_up(end_of(code_fields(interpreter)));
		code = interpreter__is_sane(interpreter) ? 0 : -ENOENT;
	}
	if (!code)
		return 0;
	*interpreter = (struct interpreter){0};
	return code == -ENOMEM || file->lacks_memory ? -ENOMEM : 0;
}

const char *interpreters__language_of(const char *function)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		if (!strcmp(function, kinds[i].loop))
			return kinds[i].name;
	return NULL;
}
