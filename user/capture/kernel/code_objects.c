// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/code_objects.h"

#include <pthread.h>

#include "interpreters/code_lines.h"
#include "interpreters/code_text.h"
#include "topstacks/abi.h"

struct code_objects {
	pthread_mutex_t lock; /* guards the map and all reference counts */
	struct map by_word;
};

struct kept_code {
	struct map_number word; /* the word without the position in the code */
	struct code code;
	uint64_t check;
	size_t nr_references;
	struct code_lines_table lines;
	char text[]; /* name, file and line table, to which `code` and `lines` point */
};

struct code_objects *code_objects__new(void)
{
	struct code_objects *codes = xcalloc(1, sizeof(*codes));

	map__init_numbers(&codes->by_word, free);
	pthread_mutex_init(&codes->lock, NULL);
	return codes;
}

void code_objects__free(struct code_objects *codes)
{
	if (!codes)
		return;
	map__fini(&codes->by_word);
	pthread_mutex_destroy(&codes->lock);
	free(codes);
}

static uint64_t without_position(uint64_t word)
{
	return word & ~(0xffffULL << WORD_POSITION_SHIFT);
}

/* ---- from a record ---- */

static size_t bounded(const struct code_text *text, size_t room)
{
	return text->nr_bytes < room ? text->nr_bytes : room;
}

static char *write_text(const struct code_text *text, const char *bytes, size_t room, char *to)
{
	struct code_text bounded_text = *text;

	bounded_text.nr_bytes = (uint16_t)bounded(text, room);
	return to + code_text__write(&bounded_text, bytes, to, CODE_TEXT_SIZE(room));
}

static void write_name(struct kept_code *kept, const struct code_record *record)
{
	char *at = kept->code.name;

	if (record->owner_text.nr_bytes) {
		struct code_text owner = record->owner_text;

		/* PHP stores a NUL and a unique suffix behind the name of an anonymous class. */
		if (!owner.width)
			owner.nr_bytes = (uint16_t)strnlen(record->owner,
							   bounded(&owner, sizeof(record->owner)));
		at = write_text(&owner, record->owner, sizeof(record->owner), at);
		/* what stands between a class and its function, unless the language joins them */
		at = stpcpy(at, word_language(record->code) == LANGUAGE_PHP ? "::" : ".");
	}
	at = write_text(&record->name_text, record->name, sizeof(record->name), at);
	if (at == kept->code.name && word_language(record->code) == LANGUAGE_PHP)
		strcpy(at, "{main}"); /* the top-level code of a script */
}

#define NAME_SIZE \
	(CODE_TEXT_SIZE(CODE_OWNER_BYTES) + sizeof("::") + CODE_TEXT_SIZE(CODE_NAME_BYTES))
#define FILE_SIZE CODE_TEXT_SIZE(CODE_FILE_BYTES)

/* Writes the texts into a draft of maximal size first, then allocates what they need. */
static struct kept_code *keep(struct code_objects *codes, const struct code_record *record)
{
	const size_t line_bytes =
		record->nr_line_bytes < CODE_LINE_BYTES ? record->nr_line_bytes : CODE_LINE_BYTES;
	char name[NAME_SIZE], file[FILE_SIZE], *lines;
	struct kept_code draft = {.code = {.name = name}}, *kept;
	size_t name_bytes, file_bytes;
	const char *slash;

	write_name(&draft, record);
	write_text(&record->file_text, record->file, sizeof(record->file), file);
	name_bytes = strlen(name) + 1;
	file_bytes = strlen(file) + 1;
	kept = map__add_number(&codes->by_word, without_position(record->code),
			       sizeof(*kept) + name_bytes + file_bytes + line_bytes);
	kept->check = record->check;
	kept->code.name = memcpy(kept->text, name, name_bytes);
	kept->code.file = memcpy(kept->text + name_bytes, file, file_bytes);
	slash = strrchr(kept->code.file, '/');
	kept->code.module = slash && slash[1] ? slash + 1 : kept->code.file;

	lines = memcpy(kept->text + name_bytes + file_bytes, record->lines, line_bytes);
	kept->code.first_line = record->first_line;
	kept->lines = (struct code_lines_table){
		.kind = record->lines_kind < CODE_LINES_KINDS ? record->lines_kind
							      : CODE_LINES_NONE,
		.bytes = (const uint8_t *)lines,
		.nr_bytes = line_bytes,
		.is_cut = line_bytes < record->nr_line_bytes,
		.first_line = record->first_line,
	};
	return kept;
}

/* ---- references ---- */

static struct kept_code *kept_of(const struct code *code)
{
	return (struct kept_code *)((uintptr_t)code - offsetof(struct kept_code, code));
}

const struct code *code_objects__add(struct code_objects *codes, const struct code_record *record)
{
	struct kept_code *kept;

	pthread_mutex_lock(&codes->lock);
	kept = map__find_number(&codes->by_word, without_position(record->code));
	if (!kept)
		kept = keep(codes, record);
	kept->nr_references++;
	pthread_mutex_unlock(&codes->lock);
	return &kept->code;
}

const struct code *code_objects__find(struct code_objects *codes, uint64_t word)
{
	struct kept_code *kept;

	pthread_mutex_lock(&codes->lock);
	kept = map__find_number(&codes->by_word, without_position(word));
	if (kept)
		kept->nr_references++;
	pthread_mutex_unlock(&codes->lock);
	return kept ? &kept->code : NULL;
}

void code_objects__put(struct code_objects *codes, const struct code *code)
{
	struct kept_code *kept;

	if (!code)
		return;
	kept = kept_of(code);
	pthread_mutex_lock(&codes->lock);
	if (!--kept->nr_references)
		map__remove_number(&codes->by_word, kept->word.number);
	pthread_mutex_unlock(&codes->lock);
}

uint32_t code__line(const struct code *code, uint64_t word)
{
	const uint32_t position = word >> WORD_POSITION_SHIFT & 0xffff;
	const struct code_lines_table *lines = &kept_of(code)->lines;

	/* Without a line table lines were not asked for, and positions are 0. */
	if (position == 0xffff || (lines->kind != CODE_LINES_NONE && !lines->nr_bytes))
		return 0;
	return code_lines__find(lines, position);
}
