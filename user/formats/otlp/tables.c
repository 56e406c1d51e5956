// SPDX-License-Identifier: GPL-2.0-only
/*
 * Converts the stacks of a recording to OpenTelemetry's dictionary. The key of a row is its
 * content, so that no table has equal rows. Element 0 has an empty key, which no other row has.
 */
#include "formats/otlp/tables.h"

#include "formats/pprof/pprof.h"
#include "profile/interned.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

struct attribute_row {
	Otlp__KeyValueAndUnit attribute;
	Otlp__AnyValue value;
};

struct mapping_row {
	Otlp__Mapping mapping;
	int32_t build_id; /* attribute index; 0: none */
};

struct location_row {
	Otlp__Location location;
	int32_t frame_type; /* attribute index; 0: not known */
	size_t first_line;  /* index in lines */
};

struct otlp_tables {
	const struct dictionary *from;
	struct dictionary *strings; /* the table of strings */
	struct dictionary *texts;   /* of attributes, which do not use the string table */
	struct otlp_table mappings, locations, functions, attributes, stacks;
	Otlp__Line *lines; /* of all locations */
	size_t nr_lines, line_capacity;
	int32_t *locations_of_frames; /* locations of a single frame, by frame id; 0: none yet */
	int32_t *stacks_of;	      /* by id in from; 0: none yet */
	int64_t *key;		      /* buffer for a location */
	size_t key_capacity;
	int32_t *indices; /* buffer for a stack */
	size_t indices_capacity;
	/* Set by finish. */
	char **string_pointers;
	Otlp__Line **line_pointers;
	Otlp__Link link, *link_pointer;
};

/* ---- a table ---- */

void *otlp_table__add(struct otlp_table *table, const void *key, size_t nr_bytes, int32_t *index)
{
	const size_t nr_rows = otlp_table__nr_rows(table);

	*index = (int32_t)pool__number(&table->keys, key, nr_bytes);
	if ((size_t)*index < nr_rows)
		return NULL;
	array__reserve_bytes(&table->rows, &table->capacity, nr_rows + 1, table->row_bytes);
	return memset(otlp_table__row(table, nr_rows), 0, table->row_bytes);
}

void *otlp_table__row(const struct otlp_table *table, size_t index)
{
	return table->rows + index * table->row_bytes;
}

const void *otlp_table__key(const struct otlp_table *table, size_t index, size_t *nr_bytes)
{
	*nr_bytes = pool__nr_bytes(&table->keys, (uint32_t)index);
	return pool__bytes(&table->keys, (uint32_t)index);
}

void otlp_table__finish(struct otlp_table *table)
{
	const size_t nr_rows = otlp_table__nr_rows(table);

	table->pointers = xcalloc(nr_rows + 1, sizeof(*table->pointers));
	for (size_t i = 0; i < nr_rows; i++)
		table->pointers[i] = otlp_table__row(table, i);
}

void otlp_table__fini(struct otlp_table *table)
{
	pool__clear(&table->keys);
	free(table->rows);
	free(table->pointers);
}

/* ---- strings and attributes ---- */

const char *otlp__valid_text(struct dictionary *strings, const char *text)
{
	const char *at = text, *kept;
	char *copy, *end;
	uint32_t code = 1;
	size_t nr_bytes;

	for (; *at; at += nr_bytes) {
		nr_bytes = character__decode(at, &code);
		if (!code || code == NOT_UTF8)
			break;
	}
	if (!*at)
		return dictionary__keep(strings, text);
	copy = end = xmalloc(strlen(text) * strlen(REPLACEMENT) + 1);
	for (at = text; *at; at += nr_bytes) {
		nr_bytes = character__decode(at, &code);
		if (code == NOT_UTF8 || !code)
			end = stpcpy(end, REPLACEMENT);
		else
			end = mempcpy(end, at, nr_bytes);
	}
	*end = '\0';
	kept = dictionary__keep(strings, copy);
	free(copy);
	return kept;
}

int32_t otlp_tables__string(struct otlp_tables *tables, const char *string)
{
	if (!string)
		return 0;
	return (int32_t)dictionary__string_id(otlp__valid_text(tables->strings, string));
}

static int32_t add_attribute(struct otlp_tables *tables, const char *key,
			     const Otlp__AnyValue *value, int64_t number)
{
	const int64_t row_key[] = {otlp_tables__string(tables, key), value->value_case, number};
	struct attribute_row *row;
	int32_t index;

	row = otlp_table__add(&tables->attributes, row_key, sizeof(row_key), &index);
	if (row) {
		otlp__key_value_and_unit__init(&row->attribute);
		row->attribute.key_strindex = (int32_t)row_key[0];
		row->value = *value;
	}
	return index;
}

int32_t otlp_tables__text(struct otlp_tables *tables, const char *key, const char *text)
{
	Otlp__AnyValue value = OTLP__ANY_VALUE__INIT;
	const char *const kept = otlp__valid_text(tables->texts, text);

	value.value_case = OTLP__ANY_VALUE__VALUE_STRING_VALUE;
	value.string_value = (char *)(uintptr_t)kept;
	return add_attribute(tables, key, &value, dictionary__string_id(kept));
}

int32_t otlp_tables__number(struct otlp_tables *tables, const char *key, int64_t number)
{
	Otlp__AnyValue value = OTLP__ANY_VALUE__INIT;

	value.value_case = OTLP__ANY_VALUE__VALUE_INT_VALUE;
	value.int_value = number;
	return add_attribute(tables, key, &value, number);
}

/* ---- code ---- */

/* Index of a frame's function. A function without a symbol is named by its start. */
static int32_t function_index(struct otlp_tables *tables, uint32_t id, const struct frame *frame)
{
	const int64_t key[] = {
		otlp_tables__string(tables, dictionary__frame_name(tables->from, id)),
		otlp_tables__string(tables, frame->file), frame->start_line};
	Otlp__Function *function;
	int32_t index;

	function = otlp_table__add(&tables->functions, key, sizeof(key), &index);
	if (function) {
		otlp__function__init(function);
		function->name_strindex = (int32_t)key[0];
		function->system_name_strindex = (int32_t)key[0];
		function->filename_strindex = (int32_t)key[1];
		function->start_line = frame->start_line;
	}
	return index;
}

/*
 * Index of a frame's mapping. Addresses are relative to the file, so the mapping is the whole
 * address space, as in our pprof files.
 */
static int32_t mapping_index(struct otlp_tables *tables, const struct frame *frame)
{
	struct mapping_row *row;
	int32_t key[2], index;
	char *file_name;

	if (frame->kind == FRAME_USER && !frame->module && !frame->path)
		return 0;
	file_name = pprof__file_name(frame);
	key[0] = otlp_tables__string(tables, file_name);
	free(file_name);
	key[1] = frame->build_id ? otlp_tables__text(tables, "process.executable.build_id.gnu",
						     frame->build_id)
				 : 0;
	row = otlp_table__add(&tables->mappings, key, sizeof(key), &index);
	if (row) {
		otlp__mapping__init(&row->mapping);
		row->mapping.memory_limit = UINT64_MAX;
		row->mapping.filename_strindex = key[0];
		row->build_id = key[1];
	}
	return index;
}

static bool ends_in(const char *text, const char *end)
{
	const size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && !strcmp(text + length - end_length, end);
}

/*
 * The frame type; NULL: not known. Of interpreted code it is the language. Recordings name that
 * only if nothing else is known; then the file tells it. Python calls code without a file
 * "<string>" or "<frozen os>".
 */
static const char *frame_type(const struct frame *frame)
{
	const char *const module = frame->module ? frame->module : "";
	const char *const file = frame->file ? frame->file : module;

	if (frame->kind == FRAME_KERNEL)
		return "kernel";
	if (frame->kind == FRAME_USER)
		return "native";
	if (frame->kind != FRAME_INTERPRETED)
		return NULL;
	if (!strcmp(module, "[python]") || ends_in(file, ".py") || *file == '<')
		return "cpython";
	return !strcmp(module, "[php]") || ends_in(file, ".php") ? "php" : NULL;
}

#define LOCATION_KEY 3 /* mapping, address, frame type; then function and number of each line */

/* The last frame is not inlined: it has the address and the module. */
static int32_t find_location(struct otlp_tables *tables, const uint32_t *frames, size_t nr_frames)
{
	const struct frame *frame = dictionary__frame(tables->from, frames[nr_frames - 1]);
	const char *const type = frame_type(frame);
	size_t nr_key = LOCATION_KEY;
	struct location_row *row;
	int64_t *key;
	int32_t index;

	array__reserve(&tables->key, &tables->key_capacity, LOCATION_KEY + 2 * nr_frames);
	key = tables->key;
	key[0] = mapping_index(tables, frame);
	key[1] = (int64_t)frame->address;
	key[2] = type ? otlp_tables__text(tables, "profile.frame.type", type) : 0;
	for (size_t i = 0; i < nr_frames; i++) {
		frame = dictionary__frame(tables->from, frames[i]);
		if (!frame__is_identified(frame))
			continue;
		key[nr_key++] = function_index(tables, frames[i], frame);
		key[nr_key++] = frame->line;
	}
	row = otlp_table__add(&tables->locations, key, nr_key * sizeof(*key), &index);
	if (!row)
		return index;

	otlp__location__init(&row->location);
	row->location.mapping_index = (int32_t)key[0];
	row->location.address = (uint64_t)key[1];
	row->location.n_lines = (nr_key - LOCATION_KEY) / 2;
	row->frame_type = (int32_t)key[2];
	row->first_line = tables->nr_lines;
	array__reserve(&tables->lines, &tables->line_capacity,
		       tables->nr_lines + row->location.n_lines);
	for (size_t i = LOCATION_KEY; i < nr_key; i += 2) {
		Otlp__Line *line = &tables->lines[tables->nr_lines++];

		otlp__line__init(line);
		line->function_index = (int32_t)key[i];
		line->line = key[i + 1];
	}
	return index;
}

/* Index of a location. Nearly all are a single frame that is known already. */
static int32_t location_index(struct otlp_tables *tables, const uint32_t *frames, size_t nr_frames)
{
	int32_t *known = &tables->locations_of_frames[*frames];

	if (nr_frames > 1)
		return find_location(tables, frames, nr_frames);
	if (!*known)
		*known = find_location(tables, frames, 1);
	return *known;
}

/* Index of a stack; a stack without frames is element 0. */
int32_t otlp_tables__stack(struct otlp_tables *tables, uint32_t stack)
{
	int32_t *known = &tables->stacks_of[stack];
	size_t nr_frames, end, nr = 0;
	const uint32_t *frames = dictionary__stack(tables->from, stack, &nr_frames);
	Otlp__Stack *row;

	if (*known)
		return *known;
	array__reserve(&tables->indices, &tables->indices_capacity, nr_frames + 1);
	for (size_t first = 0; first < nr_frames; first = end) {
		end = stack__location_end(tables->from, frames, nr_frames, first);
		tables->indices[nr++] = location_index(tables, &frames[first], end - first);
	}
	row = otlp_table__add(&tables->stacks, tables->indices, nr * sizeof(*tables->indices),
			      known);
	if (row)
		otlp__stack__init(row);
	return *known;
}

/* ---- the whole ---- */

#define SET_TABLE(name, table)                                             \
	do {                                                               \
		dictionary->n_##name##_table = otlp_table__nr_rows(table); \
		dictionary->name##_table = (void *)(table)->pointers;      \
	} while (0)

void otlp_tables__finish(struct otlp_tables *tables, Otlp__ProfilesDictionary *dictionary)
{
	const size_t nr_strings = dictionary__nr_strings(tables->strings);

	otlp_table__finish(&tables->mappings);
	otlp_table__finish(&tables->locations);
	otlp_table__finish(&tables->functions);
	otlp_table__finish(&tables->attributes);
	otlp_table__finish(&tables->stacks);
	tables->string_pointers = xcalloc(nr_strings + 1, sizeof(char *));
	for (uint32_t i = 0; i < nr_strings; i++)
		tables->string_pointers[i] =
			(char *)(uintptr_t)dictionary__string(tables->strings, i);
	tables->line_pointers = xcalloc(tables->nr_lines + 1, sizeof(Otlp__Line *));
	for (size_t i = 0; i < tables->nr_lines; i++)
		tables->line_pointers[i] = &tables->lines[i];
	/* Rows no longer move: sets pointers between them. */
	for (size_t i = 0; i < otlp_table__nr_rows(&tables->attributes); i++) {
		struct attribute_row *row = otlp_table__row(&tables->attributes, i);

		row->attribute.value = row->value.value_case ? &row->value : NULL;
	}
	for (size_t i = 0; i < otlp_table__nr_rows(&tables->mappings); i++) {
		struct mapping_row *row = otlp_table__row(&tables->mappings, i);

		row->mapping.n_attribute_indices = row->build_id != 0;
		row->mapping.attribute_indices = &row->build_id;
	}
	for (size_t i = 0; i < otlp_table__nr_rows(&tables->locations); i++) {
		struct location_row *row = otlp_table__row(&tables->locations, i);

		row->location.n_attribute_indices = row->frame_type != 0;
		row->location.attribute_indices = &row->frame_type;
		row->location.lines = &tables->line_pointers[row->first_line];
	}
	for (size_t i = 0; i < otlp_table__nr_rows(&tables->stacks); i++) {
		Otlp__Stack *row = otlp_table__row(&tables->stacks, i);
		size_t nr_bytes;
		const void *key = otlp_table__key(&tables->stacks, i, &nr_bytes);

		row->n_location_indices = nr_bytes / sizeof(int32_t);
		row->location_indices = (int32_t *)(uintptr_t)key;
	}
	SET_TABLE(mapping, &tables->mappings);
	SET_TABLE(location, &tables->locations);
	SET_TABLE(function, &tables->functions);
	SET_TABLE(attribute, &tables->attributes);
	SET_TABLE(stack, &tables->stacks);
	dictionary->n_string_table = nr_strings;
	dictionary->string_table = tables->string_pointers;
	otlp__link__init(&tables->link);
	tables->link_pointer = &tables->link;
	dictionary->n_link_table = 1;
	dictionary->link_table = &tables->link_pointer;
}

struct otlp_tables *otlp_tables__new(const struct dictionary *dictionary)
{
	struct otlp_tables *tables = xcalloc(1, sizeof(*tables));
	struct attribute_row *attribute;
	int32_t zero;

	tables->from = dictionary;
	tables->mappings.row_bytes = sizeof(struct mapping_row);
	tables->locations.row_bytes = sizeof(struct location_row);
	tables->functions.row_bytes = sizeof(Otlp__Function);
	tables->attributes.row_bytes = sizeof(struct attribute_row);
	tables->stacks.row_bytes = sizeof(Otlp__Stack);
	tables->strings = dictionary__new();
	tables->texts = dictionary__new();
	tables->locations_of_frames =
		xcalloc(dictionary__nr_frames(dictionary) + 1, sizeof(int32_t));
	tables->stacks_of = xcalloc(dictionary__nr_stacks(dictionary) + 1, sizeof(int32_t));

	dictionary__add_string(tables->strings, "");
	otlp__mapping__init(otlp_table__add(&tables->mappings, "", 0, &zero));
	otlp__location__init(otlp_table__add(&tables->locations, "", 0, &zero));
	otlp__function__init(otlp_table__add(&tables->functions, "", 0, &zero));
	otlp__stack__init(otlp_table__add(&tables->stacks, "", 0, &zero));
	attribute = otlp_table__add(&tables->attributes, "", 0, &zero);
	otlp__key_value_and_unit__init(&attribute->attribute);
	return tables;
}

void otlp_tables__free(struct otlp_tables *tables)
{
	dictionary__free(tables->strings);
	dictionary__free(tables->texts);
	otlp_table__fini(&tables->mappings);
	otlp_table__fini(&tables->locations);
	otlp_table__fini(&tables->functions);
	otlp_table__fini(&tables->attributes);
	otlp_table__fini(&tables->stacks);
	free(tables->lines);
	free(tables->locations_of_frames);
	free(tables->stacks_of);
	free(tables->key);
	free(tables->indices);
	free(tables->string_pointers);
	free(tables->line_pointers);
	free(tables);
}
