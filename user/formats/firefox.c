// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Firefox Profiler's "processed profile", as its documentation describes version 48, which
 * newer versions upgrade when they open it. One thread an owner (program name, process or thread),
 * each with tables of its own, whose columns are arrays; stacks are a tree of (prefix, frame).
 *
 * Our samples have no times, so they lie one after the other, a period apart.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/formats.h"
#include "formats/json_text.h"
#include "formats/owners.h"
#include "profile/pool.h"

#define RESOURCE_LIBRARY 1

/* All in the order of FRAME_KINDS. */
static const struct {
	const char *name, *color;
} categories[FRAME_KINDS] = {
	[FRAME_USER] = {"User", "yellow"},
	[FRAME_KERNEL] = {"Kernel", "orange"},
	[FRAME_JIT] = {"JIT", "green"},
	[FRAME_INTERPRETED] = {"Interpreted", "blue"},
	[FRAME_INLINED] = {"Inlined", "lightblue"},
};

/* Ids are ID_NONE where there is none. */
struct firefox_string {
	struct pool_item item;
	const char *text;
};

struct firefox_module {
	struct pool_item item;
	const char *text;
	uint32_t name;
};

struct firefox_function {
	struct pool_item item;
	const char *name, *module, *file; /* the dictionary's: equal if their pointers are */
	uint32_t name_id, file_id, resource;
};

struct place {
	struct pool_item item;
	uint32_t function, line, depth, kind;
	uint64_t address;
};

struct node {
	struct pool_item item;
	uint32_t prefix; /* ID_NONE: the root */
	uint32_t place, kind;
};

struct thread {
	struct json *json;
	const struct recording *recording;
	struct pool strings, modules, functions, places, nodes;
	bool failed;
};

static int equal_strings(const void *left, const void *right)
{
	return ((const struct firefox_string *)left)->text ==
	       ((const struct firefox_string *)right)->text;
}

static int equal_modules(const void *left, const void *right)
{
	return ((const struct firefox_module *)left)->text ==
	       ((const struct firefox_module *)right)->text;
}

static int equal_functions(const void *left, const void *right)
{
	const struct firefox_function *a = left, *b = right;

	return a->name == b->name && a->module == b->module && a->file == b->file;
}

static int equal_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return a->function == b->function && a->line == b->line && a->address == b->address &&
	       a->kind == b->kind && a->depth == b->depth;
}

static int equal_nodes(const void *left, const void *right)
{
	const struct node *a = left, *b = right;

	return a->prefix == b->prefix && a->place == b->place;
}

/* ---- filling the tables ---- */

static uint32_t intern(struct thread *thread, struct pool *pool, struct pool_item *key, size_t size,
		       const void *hashed, size_t nr_hashed)
{
	uint32_t id;

	key->hash = map__hash_more(0, hashed, nr_hashed);
	id = pool__intern(pool, key, size);
	if (id == ID_NONE)
		thread->failed = true;
	return id;
}

static uint32_t add_text(struct thread *thread, const char *text)
{
	struct firefox_string key = {.text = text};

	return text ? intern(thread, &thread->strings, &key.item, sizeof(key), &text, sizeof(text))
		    : ID_NONE;
}

static uint32_t add_module(struct thread *thread, const char *text)
{
	struct firefox_module key = {.text = text, .name = add_text(thread, text)};

	return text ? intern(thread, &thread->modules, &key.item, sizeof(key), &text, sizeof(text))
		    : ID_NONE;
}

static uint32_t add_function(struct thread *thread, const struct frame *frame, const char *name)
{
	struct firefox_function key = {.name = name, .module = frame->module, .file = frame->file};
	const char *const hashed[] = {key.name, key.module, key.file};

	key.name_id = add_text(thread, name);
	key.file_id = add_text(thread, frame->file);
	key.resource = add_module(thread, frame->module);
	return intern(thread, &thread->functions, &key.item, sizeof(key), hashed, sizeof(hashed));
}

static uint32_t add_place(struct thread *thread, uint32_t id)
{
	const struct dictionary *dictionary = profile__dictionary(thread->recording->profile);
	const struct frame *frame = dictionary__frame(dictionary, id);
	struct place key = {.line = frame->line ? frame->line : ID_NONE,
			    .depth = frame->inlined,
			    .address = frame->address,
			    .kind = frame__shown_kind(frame)};
	uint64_t hashed[3];

	key.function = add_function(thread, frame, dictionary__frame_name(dictionary, id));
	hashed[0] = key.function;
	hashed[1] = key.line;
	hashed[2] = key.address;
	return intern(thread, &thread->places, &key.item, sizeof(key), hashed, sizeof(hashed));
}

/* The node of a stack's leaf; ID_NONE: it has no frames. */
static uint32_t add_stack(struct thread *thread, uint32_t stack)
{
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(profile__dictionary(thread->recording->profile),
						   stack, &nr_frames);
	uint32_t last = ID_NONE;

	while (nr_frames-- > 0 && !thread->failed) {
		struct node key = {.prefix = last, .place = add_place(thread, frames[nr_frames])};
		const uint32_t hashed[] = {key.prefix, key.place};

		key.kind = dictionary__frame(profile__dictionary(thread->recording->profile),
					     frames[nr_frames])
				   ->kind;
		last = intern(thread, &thread->nodes, &key.item, sizeof(key), hashed,
			      sizeof(hashed));
	}
	return last;
}

/* ---- writing them, column by column ---- */

enum column_type {
	CELL_NULL, /* the same for all */
	CELL_FALSE,
	CELL_NUMBER,
	CELL_ID,      /* of uint32_t; ID_NONE: null */
	CELL_INDEX,   /* of uint32_t; ID_NONE: -1 */
	CELL_ADDRESS, /* of uint64_t */
};

struct column {
	const char *name;
	enum column_type type;
	size_t value; /* the number; of the others, the offset in an item */
};

static void write_id(struct json *json, uint32_t id)
{
	if (id == ID_NONE)
		json__null(json, NULL);
	else
		json__count(json, NULL, id);
}

static void write_cell(struct json *json, const struct column *column, const void *item)
{
	const void *at = (const char *)item + column->value;
	uint32_t id = column->type >= CELL_ID ? *(const uint32_t *)at : ID_NONE;
	uint64_t address;

	switch (column->type) {
	case CELL_FALSE:
		json__boolean(json, NULL, false);
		break;
	case CELL_NUMBER:
		json__count(json, NULL, column->value);
		break;
	case CELL_NULL:
	case CELL_ID:
		write_id(json, id);
		break;
	case CELL_INDEX:
		json__integer(json, NULL, id == ID_NONE ? -1 : (int64_t)id);
		break;
	case CELL_ADDRESS: /* what JavaScript cannot count exactly is nobody's offset in a file */
		address = *(const uint64_t *)at;
		json__integer(json, NULL, address < 1ULL << 53 ? (int64_t)address : -1);
		break;
	}
}

/* columns ends in a zero row. */
static void write_table(struct thread *thread, const char *name, const struct pool *pool,
			const struct column *columns)
{
	struct json *json = thread->json;

	json__open(json, name, '{');
	json__count(json, "length", pool->nr_items);
	for (; columns->name; columns++) {
		json__open(json, columns->name, '[');
		for (size_t i = 0; i < pool->nr_items; i++)
			write_cell(json, columns, pool->items[i]);
		json__close(json, ']');
	}
	json__close(json, '}');
}

static void write_arrays(struct json *json, const char *const *names)
{
	for (; *names; names++) {
		json__open(json, *names, '[');
		json__close(json, ']');
	}
}

static void write_empty_table(struct json *json, const char *name, const char *const *columns)
{
	json__open(json, name, '{');
	json__count(json, "length", 0);
	write_arrays(json, columns);
	json__close(json, '}');
}

static const struct column place_columns[] = {
	{"address", CELL_ADDRESS, offsetof(struct place, address)},
	{"inlineDepth", CELL_ID, offsetof(struct place, depth)},
	{"category", CELL_ID, offsetof(struct place, kind)},
	{"subcategory", CELL_NUMBER, 0},
	{"func", CELL_ID, offsetof(struct place, function)},
	{"nativeSymbol", CELL_NULL, 0},
	{"innerWindowID", CELL_NULL, 0},
	{"implementation", CELL_NULL, 0},
	{"line", CELL_ID, offsetof(struct place, line)},
	{"column", CELL_NULL, 0},
	{"optimizations", CELL_NULL, 0},
	{0}};

static const struct column function_columns[] = {
	{"isJS", CELL_FALSE, 0},
	{"relevantForJS", CELL_FALSE, 0},
	{"name", CELL_ID, offsetof(struct firefox_function, name_id)},
	{"resource", CELL_INDEX, offsetof(struct firefox_function, resource)},
	{"fileName", CELL_ID, offsetof(struct firefox_function, file_id)},
	{"lineNumber", CELL_NULL, 0},
	{"columnNumber", CELL_NULL, 0},
	{0}};

static const struct column module_columns[] = {
	{"lib", CELL_NULL, 0},
	{"name", CELL_ID, offsetof(struct firefox_module, name)},
	{"host", CELL_NULL, 0},
	{"type", CELL_NUMBER, RESOURCE_LIBRARY},
	{0}};

static const struct column node_columns[] = {{"prefix", CELL_ID, offsetof(struct node, prefix)},
					     {"frame", CELL_ID, offsetof(struct node, place)},
					     {"category", CELL_ID, offsetof(struct node, kind)},
					     {"subcategory", CELL_NUMBER, 0},
					     {0}};

static void write_tables(struct thread *thread)
{
	struct json *json = thread->json;

	write_table(thread, "frameTable", &thread->places, place_columns);
	write_table(thread, "funcTable", &thread->functions, function_columns);
	write_table(thread, "resourceTable", &thread->modules, module_columns);
	write_table(thread, "stackTable", &thread->nodes, node_columns);
	write_empty_table(json, "markers",
			  (const char *const[]){"category", "data", "endTime", "name", "phase",
						"startTime", NULL});
	write_empty_table(
		json, "nativeSymbols",
		(const char *const[]){"address", "functionSize", "libIndex", "name", NULL});
	json__open(json, "stringArray", '[');
	for (size_t i = 0; i < thread->strings.nr_items; i++)
		json__string(json, NULL,
			     ((const struct firefox_string *)thread->strings.items[i])->text);
	json__close(json, ']');
}

/* ---- a thread ---- */

static const char *unit_of(const struct thread *thread)
{
	const char *unit = metrics__shown(profile__metrics(thread->recording->profile))->unit;

	return unit ? unit : "";
}

static bool is_time(const struct thread *thread)
{
	return !strcmp(unit_of(thread), "nanoseconds");
}

static uint64_t interval_ns(const struct recording *recording)
{
	return recording->period ? recording->period : 1000000;
}

static void write_weight(struct thread *thread, const struct row *row)
{
	uint64_t value = row->values[profile__metrics(thread->recording->profile)->shown];

	if (is_time(thread))
		json__milliseconds(thread->json, NULL, value);
	else
		json__count(thread->json, NULL, value);
}

static void write_samples(struct thread *thread, const struct owners *owners, size_t owner)
{
	struct json *json = thread->json;
	const char *type = is_time(thread) ? "tracing-ms" : "samples";
	size_t nr_rows;
	const struct row *rows = owners__rows(owners, owner, &nr_rows);
	uint64_t time_ns = 0;

	if (!strcmp(unit_of(thread), "bytes"))
		type = "bytes";
	json__open(json, "samples", '{');
	json__count(json, "length", nr_rows);
	json__string(json, "weightType", type);
	json__open(json, "stack", '[');
	for (size_t i = 0; i < nr_rows; i++)
		write_id(json, add_stack(thread, rows[i].stack));
	json__close(json, ']');
	json__open(json, "time", '[');
	for (size_t i = 0; i < nr_rows; i++, time_ns += interval_ns(thread->recording))
		json__milliseconds(json, NULL, time_ns);
	json__close(json, ']');
	json__open(json, "weight", '[');
	for (size_t i = 0; i < nr_rows; i++)
		write_weight(thread, &rows[i]);
	json__close(json, ']');
	json__close(json, '}');
}

static int write_thread(struct json *json, const struct recording *recording,
			const struct owners *owners, size_t owner)
{
	struct thread thread = {.json = json,
				.recording = recording,
				.strings.equal = equal_strings,
				.modules.equal = equal_modules,
				.functions.equal = equal_functions,
				.places.equal = equal_places,
				.nodes.equal = equal_nodes};
	size_t nr_rows;
	const struct row *row = owners__rows(owners, owner, &nr_rows);
	const struct process *process =
		dictionary__process(profile__dictionary(recording->profile), row->process);
	char name[OWNER_NAME_SIZE];

	json__open(json, NULL, '{');
	json__string(json, "name", owners__name(owners, owner, name));
	json__string(json, "processName", *process->comm ? process->comm : "all");
	json__string(json, "processType", "default");
	json__boolean(json, "isMainThread", true);
	snprintf(name, sizeof(name), "%zu", owner); /* unique, as pids of files added up are not */
	json__string(json, "pid", name);
	json__count(json, "tid", (uint64_t)owner);
	json__count(json, "processStartupTime", 0);
	json__null(json, "processShutdownTime");
	json__count(json, "registerTime", 0);
	json__null(json, "unregisterTime");
	json__open(json, "pausedRanges", '[');
	json__close(json, ']');
	write_samples(&thread, owners, owner);
	write_tables(&thread);
	json__close(json, '}');
	pool__clear(&thread.strings);
	pool__clear(&thread.modules);
	pool__clear(&thread.functions);
	pool__clear(&thread.places);
	pool__clear(&thread.nodes);
	return thread.failed ? -ENOMEM : 0;
}

static void write_meta(struct json *json, const struct recording *recording, const char *title)
{
	const char *target = recording->facts[FACT_TARGET];

	json__open(json, "meta", '{');
	json__count(json, "version", 24);
	json__count(json, "preprocessedProfileVersion", 48);
	json__string(json, "product", title ? title : target ? target : "topstacks");
	json__string(json, "importedFrom", "topstacks " TOPSTACKS_VERSION);
	json__milliseconds(json, "startTime", (uint64_t)recording->start_realtime_ns);
	json__milliseconds(json, "interval", interval_ns(recording));
	json__count(json, "processType", 0);
	json__count(json, "stackwalk", 1);
	json__boolean(json, "debug", false);
	json__boolean(json, "symbolicated", true);
	json__string(json, "oscpu", recording->facts[FACT_KERNEL]);
	json__open(json, "categories", '[');
	for (int kind = 0; kind < FRAME_KINDS; kind++) {
		json__open(json, NULL, '{');
		json__string(json, "name", categories[kind].name);
		json__string(json, "color", categories[kind].color);
		json__open(json, "subcategories", '[');
		json__string(json, NULL, "Other");
		json__close(json, ']');
		json__close(json, '}');
	}
	json__close(json, ']');
	write_arrays(json, (const char *const[]){"markerSchema", NULL});
	json__close(json, '}');
}

int firefox__write(FILE *out, const struct recording *recording,
		   const struct write_options *options)
{
	struct json json = {.out = out};
	struct owners owners;
	int code = owners__init(&owners, recording, options->merge);

	if (code)
		return code;
	json__open(&json, NULL, '{');
	write_meta(&json, recording, options->title);
	write_arrays(&json,
		     (const char *const[]){"libs", "pages", "counters", "profilerOverhead", NULL});
	json__open(&json, "threads", '[');
	for (size_t i = 0; i < owners.nr_owners && !code; i++)
		code = write_thread(&json, recording, &owners, i);
	json__close(&json, ']');
	json__close(&json, '}');
	putc('\n', out);
	owners__fini(&owners);
	return code ? code : text__stream_error(out);
}
