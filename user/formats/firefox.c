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

struct firefox_string {
	struct pool_item item;
	const char *text;
};

struct firefox_function {
	struct pool_item item;
	const char *name, *module, *file;    /* the dictionary's: equal if their pointers are */
	uint32_t name_id, file_id, resource; /* ID_NONE: none */
};

struct place {
	struct pool_item item;
	uint32_t function, line, depth;
	uint64_t address;
	enum frame_kind kind;
};

struct node {
	struct pool_item item;
	uint32_t prefix; /* ID_NONE: the root */
	uint32_t place;
	enum frame_kind kind;
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

static uint32_t add_text(struct thread *thread, struct pool *pool, const char *text)
{
	struct firefox_string key = {.text = text};

	return text ? intern(thread, pool, &key.item, sizeof(key), &text, sizeof(text)) : ID_NONE;
}

static uint32_t add_function(struct thread *thread, const struct frame *frame, const char *name)
{
	struct firefox_function key = {.name = name, .module = frame->module, .file = frame->file};
	const char *const hashed[] = {key.name, key.module, key.file};

	key.name_id = add_text(thread, &thread->strings, name);
	key.file_id = add_text(thread, &thread->strings, frame->file);
	key.resource = add_text(thread, &thread->modules, frame->module);
	add_text(thread, &thread->strings, frame->module);
	return intern(thread, &thread->functions, &key.item, sizeof(key), hashed, sizeof(hashed));
}

static uint32_t add_place(struct thread *thread, uint32_t id)
{
	const struct dictionary *dictionary = profile__dictionary(thread->recording->profile);
	const struct frame *frame = dictionary__frame(dictionary, id);
	struct place key = {.line = frame->line,
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

static void write_id(struct json *json, uint32_t id)
{
	if (id == ID_NONE)
		json__null(json, NULL);
	else
		json__count(json, NULL, id);
}

/* A column writes one element of each item. */
typedef void write_cell(struct thread *thread, const struct pool_item *item);

static void write_column(struct thread *thread, const char *name, const struct pool *pool,
			 write_cell *write)
{
	json__open(thread->json, name, '[');
	for (size_t i = 0; i < pool->nr_items; i++)
		write(thread, pool->items[i]);
	json__close(thread->json, ']');
}

static void cell_null(struct thread *thread, const struct pool_item *item)
{
	(void)item;
	json__null(thread->json, NULL);
}

static void cell_zero(struct thread *thread, const struct pool_item *item)
{
	(void)item;
	json__count(thread->json, NULL, 0);
}

static void cell_false(struct thread *thread, const struct pool_item *item)
{
	(void)item;
	json__boolean(thread->json, NULL, false);
}

static void cell_text(struct thread *thread, const struct pool_item *item)
{
	json__string(thread->json, NULL, ((const struct firefox_string *)item)->text);
}

/* Addresses beyond what JavaScript can count exactly are nobody's offset in a file. */
static void cell_address(struct thread *thread, const struct pool_item *item)
{
	uint64_t address = ((const struct place *)item)->address;

	if (address < 1ULL << 53)
		json__count(thread->json, NULL, address);
	else
		json__integer(thread->json, NULL, -1);
}

static void cell_depth(struct thread *thread, const struct pool_item *item)
{
	json__count(thread->json, NULL, ((const struct place *)item)->depth);
}

static void cell_place_kind(struct thread *thread, const struct pool_item *item)
{
	json__count(thread->json, NULL, ((const struct place *)item)->kind);
}

static void cell_function(struct thread *thread, const struct pool_item *item)
{
	json__count(thread->json, NULL, ((const struct place *)item)->function);
}

static void cell_line(struct thread *thread, const struct pool_item *item)
{
	uint32_t line = ((const struct place *)item)->line;

	write_id(thread->json, line ? line : ID_NONE);
}

static void cell_name(struct thread *thread, const struct pool_item *item)
{
	write_id(thread->json, ((const struct firefox_function *)item)->name_id);
}

static void cell_file(struct thread *thread, const struct pool_item *item)
{
	write_id(thread->json, ((const struct firefox_function *)item)->file_id);
}

static void cell_resource(struct thread *thread, const struct pool_item *item)
{
	uint32_t resource = ((const struct firefox_function *)item)->resource;

	json__integer(thread->json, NULL, resource == ID_NONE ? -1 : (int64_t)resource);
}

static void cell_module(struct thread *thread, const struct pool_item *item)
{
	write_id(thread->json,
		 add_text(thread, &thread->strings, ((const struct firefox_string *)item)->text));
}

static void cell_library(struct thread *thread, const struct pool_item *item)
{
	(void)item;
	json__count(thread->json, NULL, RESOURCE_LIBRARY);
}

static void cell_prefix(struct thread *thread, const struct pool_item *item)
{
	write_id(thread->json, ((const struct node *)item)->prefix);
}

static void cell_node_place(struct thread *thread, const struct pool_item *item)
{
	json__count(thread->json, NULL, ((const struct node *)item)->place);
}

static void cell_node_kind(struct thread *thread, const struct pool_item *item)
{
	json__count(thread->json, NULL, ((const struct node *)item)->kind);
}

struct column {
	const char *name;
	write_cell *write;
};

/* columns ends in a zero row. */
static void write_table(struct thread *thread, const char *name, const struct pool *pool,
			const struct column *columns)
{
	json__open(thread->json, name, '{');
	json__count(thread->json, "length", pool->nr_items);
	for (; columns->name; columns++)
		write_column(thread, columns->name, pool, columns->write);
	json__close(thread->json, '}');
}

static void write_tables(struct thread *thread)
{
	static const struct column frames[] = {
		{"address", cell_address},     {"inlineDepth", cell_depth},
		{"category", cell_place_kind}, {"subcategory", cell_zero},
		{"func", cell_function},       {"nativeSymbol", cell_null},
		{"innerWindowID", cell_null},  {"implementation", cell_null},
		{"line", cell_line},	       {"column", cell_null},
		{"optimizations", cell_null},  {0}};
	static const struct column functions[] = {
		{"isJS", cell_false},	     {"relevantForJS", cell_false},
		{"name", cell_name},	     {"resource", cell_resource},
		{"fileName", cell_file},     {"lineNumber", cell_null},
		{"columnNumber", cell_null}, {0}};
	static const struct column resources[] = {{"lib", cell_null},
						  {"name", cell_module},
						  {"host", cell_null},
						  {"type", cell_library},
						  {0}};
	static const struct column stacks[] = {{"prefix", cell_prefix},
					       {"frame", cell_node_place},
					       {"category", cell_node_kind},
					       {"subcategory", cell_zero},
					       {0}};
	static const struct column markers[] = {{"category", cell_null},
						{"data", cell_null},
						{"endTime", cell_null},
						{"name", cell_null},
						{"phase", cell_null},
						{"startTime", cell_null},
						{0}};
	static const struct column symbols[] = {{"address", cell_null},
						{"functionSize", cell_null},
						{"libIndex", cell_null},
						{"name", cell_null},
						{0}};
	static const struct pool none;

	write_table(thread, "frameTable", &thread->places, frames);
	write_table(thread, "funcTable", &thread->functions, functions);
	write_table(thread, "resourceTable", &thread->modules, resources);
	write_table(thread, "stackTable", &thread->nodes, stacks);
	write_table(thread, "markers", &none, markers);
	write_table(thread, "nativeSymbols", &none, symbols);
	write_column(thread, "stringArray", &thread->strings, cell_text);
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
				.modules.equal = equal_strings,
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

static void write_empty(struct json *json, const char *const *names)
{
	for (; *names; names++) {
		json__open(json, *names, '[');
		json__close(json, ']');
	}
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
	write_empty(json, (const char *const[]){"markerSchema", NULL});
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
	write_empty(&json,
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
