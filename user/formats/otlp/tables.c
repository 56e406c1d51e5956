// SPDX-License-Identifier: GPL-2.0-only
/*
 * Converts the stacks of a recording to OpenTelemetry's dictionary. The key of a row is its
 * content, so that no table has equal rows. Element 0 has an empty key, which no other row has.
 */
#include "formats/otlp/tables.h"

#include "formats/otlp/table.h"
#include "formats/pprof/pprof.h"

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
	int code; /* the first error */
	/* Set by finish. */
	char **string_pointers;
	Otlp__Line **line_pointers;
	Otlp__Link link, *link_pointer;
};

static void fail(struct otlp_tables *tables)
{
	if (!tables->code)
		tables->code = -ENOMEM;
}

/* ---- strings and attributes ---- */

static bool is_valid(const char *text)
{
	uint32_t code;

	while (*text) {
		text += character__decode(text, &code);
		if (!code || code == NOT_UTF8)
			return false;
	}
	return true;
}

const char *otlp__valid_text(struct dictionary *strings, const char *text)
{
	bool failed = false;
	const char *kept;
	char *copy, *end;

	if (is_valid(text))
		return dictionary__keep(strings, text, &failed);
	copy = end = malloc(strlen(text) * strlen(REPLACEMENT) + 1);
	if (!copy)
		return NULL;
	while (*text) {
		uint32_t code;
		const size_t nr_bytes = character__decode(text, &code);

		if (code == NOT_UTF8 || !code)
			end = stpcpy(end, REPLACEMENT);
		else
			end = mempcpy(end, text, nr_bytes);
		text += nr_bytes;
	}
	*end = '\0';
	kept = dictionary__keep(strings, copy, &failed);
	free(copy);
	return kept;
}

int32_t otlp_tables__string(struct otlp_tables *tables, const char *string)
{
	const char *const kept = string ? otlp__valid_text(tables->strings, string) : "";

	if (!string)
		return 0;
	if (kept && dictionary__string_id(kept) <= INT32_MAX)
		return (int32_t)dictionary__string_id(kept);
	fail(tables);
	return 0;
}

/*
 * Returns a new row for the key; NULL: the table has it already, or out of memory. *index: of the
 * row.
 */
static void *new_row(struct otlp_tables *tables, struct otlp_table *table, const void *key,
		     size_t nr_bytes, int32_t *index)
{
	bool fresh;

	*index = otlp_table__row_of(table, key, nr_bytes, &fresh);
	if (*index < 0) {
		fail(tables);
		*index = 0;
	}
	return fresh ? otlp_table__row(table, (size_t)*index) : NULL;
}

static int32_t add_attribute(struct otlp_tables *tables, const char *key,
			     const Otlp__AnyValue *value, int64_t number)
{
	const int64_t row_key[] = {otlp_tables__string(tables, key), value->value_case, number};
	struct attribute_row *row;
	int32_t index;

	row = new_row(tables, &tables->attributes, row_key, sizeof(row_key), &index);
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

	if (!kept) {
		fail(tables);
		return 0;
	}
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

	function = new_row(tables, &tables->functions, key, sizeof(key), &index);
	if (function) {
		otlp__function__init(function);
		function->name_strindex = (int32_t)key[0];
		function->system_name_strindex = (int32_t)key[0];
		function->filename_strindex = (int32_t)key[1];
		function->start_line = frame->start_line;
	}
	return index;
}

static int32_t file_name_index(struct otlp_tables *tables, const struct frame *frame)
{
	const size_t size = (size_t)pprof__file_name(frame, NULL, 0) + 1;
	char *name = malloc(size);
	int32_t index;

	if (!name) {
		fail(tables);
		return 0;
	}
	pprof__file_name(frame, name, size);
	index = otlp_tables__string(tables, name);
	free(name);
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

	if (frame->kind == FRAME_USER && !frame->module && !frame->path)
		return 0;
	key[0] = file_name_index(tables, frame);
	key[1] = frame->build_id ? otlp_tables__text(tables, "process.executable.build_id.gnu",
						     frame->build_id)
				 : 0;
	row = new_row(tables, &tables->mappings, key, sizeof(key), &index);
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
 * The language of interpreted code. Recordings name the language only if nothing else is known;
 * then the file tells it. Python calls code without a file "<string>" or "<frozen os>". NULL: not
 * known.
 */
static const char *language_of(const struct frame *frame)
{
	const char *const module = frame->module ? frame->module : "";
	const char *const file = frame->file ? frame->file : module;

	if (!strcmp(module, "[python]") || ends_in(file, ".py") || *file == '<')
		return "cpython";
	if (!strcmp(module, "[php]") || ends_in(file, ".php"))
		return "php";
	return NULL;
}

/* The frame type; NULL: not known. */
static const char *frame_type(const struct frame *frame)
{
	switch (frame->kind) {
	case FRAME_KERNEL:
		return "kernel";
	case FRAME_USER:
		return "native";
	case FRAME_INTERPRETED:
		return language_of(frame);
	default:
		return NULL;
	}
}

#define LOCATION_KEY 3 /* mapping, address, frame type; then function and number of each line */

/* Fills the key of a location, whose last frame is not inlined. Returns the number of lines. */
static size_t fill_location_key(struct otlp_tables *tables, const uint32_t *frames,
				size_t nr_frames)
{
	const struct frame *frame = dictionary__frame(tables->from, frames[nr_frames - 1]);
	const char *const type = frame_type(frame);
	size_t nr = LOCATION_KEY;

	if (array__reserve(&tables->key, &tables->key_capacity, LOCATION_KEY + 2 * nr_frames)) {
		fail(tables);
		return 0;
	}
	tables->key[0] = mapping_index(tables, frame);
	tables->key[1] = (int64_t)frame->address;
	tables->key[2] = type ? otlp_tables__text(tables, "profile.frame.type", type) : 0;
	for (size_t i = 0; i < nr_frames; i++) {
		frame = dictionary__frame(tables->from, frames[i]);
		if (!frame__is_identified(frame))
			continue;
		tables->key[nr++] = function_index(tables, frames[i], frame);
		tables->key[nr++] = frame->line;
	}
	return (nr - LOCATION_KEY) / 2;
}

static void fill_location(struct otlp_tables *tables, struct location_row *row, size_t nr_lines)
{
	otlp__location__init(&row->location);
	if (array__reserve(&tables->lines, &tables->line_capacity, tables->nr_lines + nr_lines)) {
		fail(tables);
		return;
	}
	row->location.mapping_index = (int32_t)tables->key[0];
	row->location.address = (uint64_t)tables->key[1];
	row->location.n_lines = nr_lines;
	row->frame_type = (int32_t)tables->key[2];
	row->first_line = tables->nr_lines;
	for (size_t i = 0; i < nr_lines; i++) {
		Otlp__Line *line = &tables->lines[tables->nr_lines++];

		otlp__line__init(line);
		line->function_index = (int32_t)tables->key[LOCATION_KEY + 2 * i];
		line->line = tables->key[LOCATION_KEY + 2 * i + 1];
	}
}

static int32_t find_location(struct otlp_tables *tables, const uint32_t *frames, size_t nr_frames)
{
	const size_t nr_lines = fill_location_key(tables, frames, nr_frames);
	struct location_row *row;
	int32_t index;

	if (tables->code)
		return 0;
	row = new_row(tables, &tables->locations, tables->key,
		      (LOCATION_KEY + 2 * nr_lines) * sizeof(*tables->key), &index);
	if (row)
		fill_location(tables, row, nr_lines);
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

/*
 * Fills the locations of a stack; inlined frames share the location of the next frame that is not
 * inlined. Returns their number.
 */
static size_t fill_locations(struct otlp_tables *tables, uint32_t stack)
{
	size_t nr_frames, first = 0, nr = 0;
	const uint32_t *frames = dictionary__stack(tables->from, stack, &nr_frames);

	if (array__reserve(&tables->indices, &tables->indices_capacity, nr_frames)) {
		fail(tables);
		return 0;
	}
	for (size_t i = 0; i < nr_frames && !tables->code; i++) {
		if (dictionary__frame(tables->from, frames[i])->inlined && i + 1 < nr_frames)
			continue;
		tables->indices[nr++] = location_index(tables, &frames[first], i + 1 - first);
		first = i + 1;
	}
	return nr;
}

/* Index of a stack; a stack without frames is element 0. */
int32_t otlp_tables__stack(struct otlp_tables *tables, uint32_t stack)
{
	int32_t *known = &tables->stacks_of[stack];

	if (!*known) {
		const size_t nr = fill_locations(tables, stack);
		Otlp__Stack *row =
			new_row(tables, &tables->stacks, nr ? (const void *)tables->indices : "",
				nr * sizeof(*tables->indices), known);

		if (row)
			otlp__stack__init(row);
	}
	return *known;
}

/* ---- the whole ---- */

/* Sets pointers between rows, which no longer move. */
static void point_rows(struct otlp_tables *tables)
{
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
}

static int point_all(struct otlp_tables *tables)
{
	struct otlp_table *const all[] = {&tables->mappings, &tables->locations, &tables->functions,
					  &tables->attributes, &tables->stacks};
	const size_t nr_strings = dictionary__nr_strings(tables->strings);

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (otlp_table__finish(all[i]))
			return -ENOMEM;
	tables->string_pointers = calloc(nr_strings + 1, sizeof(char *));
	tables->line_pointers = calloc(tables->nr_lines + 1, sizeof(Otlp__Line *));
	if (!tables->string_pointers || !tables->line_pointers)
		return -ENOMEM;
	for (uint32_t i = 0; i < nr_strings; i++)
		tables->string_pointers[i] =
			(char *)(uintptr_t)dictionary__string(tables->strings, i);
	for (size_t i = 0; i < tables->nr_lines; i++)
		tables->line_pointers[i] = &tables->lines[i];
	point_rows(tables);
	return 0;
}

#define SET_TABLE(name, table)                                             \
	do {                                                               \
		dictionary->n_##name##_table = otlp_table__nr_rows(table); \
		dictionary->name##_table = (void *)(table)->pointers;      \
	} while (0)

int otlp_tables__finish(struct otlp_tables *tables, Otlp__ProfilesDictionary *dictionary)
{
	if (!tables->code)
		tables->code = point_all(tables);
	if (tables->code)
		return tables->code;
	SET_TABLE(mapping, &tables->mappings);
	SET_TABLE(location, &tables->locations);
	SET_TABLE(function, &tables->functions);
	SET_TABLE(attribute, &tables->attributes);
	SET_TABLE(stack, &tables->stacks);
	dictionary->n_string_table = dictionary__nr_strings(tables->strings);
	dictionary->string_table = tables->string_pointers;
	otlp__link__init(&tables->link);
	tables->link_pointer = &tables->link;
	dictionary->n_link_table = 1;
	dictionary->link_table = &tables->link_pointer;
	return 0;
}

/* Adds element 0 to each table. */
static void add_zeros(struct otlp_tables *tables)
{
	struct attribute_row *attribute;
	void *row;
	int32_t index;

	if (dictionary__add_string(tables->strings, "") != 0)
		fail(tables);
	row = new_row(tables, &tables->mappings, "", 0, &index);
	if (row)
		otlp__mapping__init(row);
	row = new_row(tables, &tables->locations, "", 0, &index);
	if (row)
		otlp__location__init(row);
	row = new_row(tables, &tables->functions, "", 0, &index);
	if (row)
		otlp__function__init(row);
	row = new_row(tables, &tables->stacks, "", 0, &index);
	if (row)
		otlp__stack__init(row);
	attribute = new_row(tables, &tables->attributes, "", 0, &index);
	if (attribute)
		otlp__key_value_and_unit__init(&attribute->attribute);
}

struct otlp_tables *otlp_tables__new(const struct dictionary *dictionary)
{
	struct otlp_tables *tables = calloc(1, sizeof(*tables));

	if (!tables)
		return NULL;
	tables->from = dictionary;
	tables->mappings.row_bytes = sizeof(struct mapping_row);
	tables->locations.row_bytes = sizeof(struct location_row);
	tables->functions.row_bytes = sizeof(Otlp__Function);
	tables->attributes.row_bytes = sizeof(struct attribute_row);
	tables->stacks.row_bytes = sizeof(Otlp__Stack);
	tables->strings = dictionary__new();
	tables->texts = dictionary__new();
	tables->locations_of_frames =
		calloc(dictionary__nr_frames(dictionary) + 1, sizeof(int32_t));
	tables->stacks_of = calloc(dictionary__nr_stacks(dictionary) + 1, sizeof(int32_t));
	if (tables->strings && tables->texts && tables->locations_of_frames && tables->stacks_of) {
		add_zeros(tables);
		return tables;
	}
	otlp_tables__free(tables);
	return NULL;
}

void otlp_tables__free(struct otlp_tables *tables)
{
	if (!tables)
		return;
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
