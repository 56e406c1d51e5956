// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Firefox Profiler's "processed profile", as its documentation describes version 48, which
 * newer versions upgrade when they open it. Each owner (program name, process or thread) is a
 * thread with its own tables, whose columns are arrays; stacks are a tree of (prefix, frame).
 *
 * Our samples have no times, so they are placed one after the other, a period apart.
 */

#include "formats/formats.h"
#include "formats/json_text.h"
#include "formats/owners.h"
#include "profile/pool.h"

#define RESOURCE_LIBRARY 1

/*
 * Categories, in the order of FRAME_KINDS, then of states. With waits the leaf has the category of
 * its thread's state, which colours the graph of the thread.
 */
static const struct {
	const char *name, *color;
} categories[FRAME_KINDS + WAIT_STATES] = {
	[FRAME_USER] = {"User", "yellow"},
	[FRAME_KERNEL] = {"Kernel", "orange"},
	[FRAME_JIT] = {"JIT", "green"},
	[FRAME_INTERPRETED] = {"Interpreted", "blue"},
	[FRAME_INLINED] = {"Inlined", "lightblue"},
	[FRAME_KINDS + WAIT_RUNNING] = {"Running", "orange"},
	[FRAME_KINDS + WAIT_INTERRUPTIBLE] = {"Blocked", "blue"},
	[FRAME_KINDS + WAIT_PREEMPTED] = {"Preempted", "yellow"},
	[FRAME_KINDS + WAIT_WOKEN] = {"Woken", "magenta"},
	[FRAME_KINDS + WAIT_THROTTLED] = {"Throttled", "red"},
	[FRAME_KINDS + WAIT_STOPPED] = {"Stopped", "darkgrey"},
};

/* A row of numbers. Each row is in its table only once. ID_NONE: no such entry. */
typedef uint64_t cell;

enum module_cell { MODULE_NAME, MODULE_CELLS };
enum function_cell { FUNCTION_NAME, FUNCTION_FILE, FUNCTION_RESOURCE, FUNCTION_CELLS };
enum place_cell { PLACE_FUNCTION, PLACE_LINE, PLACE_DEPTH, PLACE_KIND, PLACE_ADDRESS, PLACE_CELLS };
enum node_cell { NODE_PREFIX, NODE_PLACE, NODE_KIND, NODE_CELLS }; /* no prefix: a root */

struct thread {
	struct json *json;
	const struct recording *recording;
	struct pool strings, modules, functions, places, nodes;
};

/* ---- filling the tables ---- */

static uint32_t add_text(struct thread *thread, const char *text)
{
	return text ? pool__number(&thread->strings, text, strlen(text) + 1) : ID_NONE;
}

/* Adds the place of a frame, with its function and the module of that. */
static uint32_t add_place(struct thread *thread, const struct frame *frame, const char *name)
{
	cell function[FUNCTION_CELLS], module[MODULE_CELLS];
	cell place[PLACE_CELLS] = {
		[PLACE_LINE] = frame->line ? frame->line : ID_NONE,
		[PLACE_DEPTH] = frame->inlined,
		[PLACE_KIND] = frame__shown_kind(frame),
		[PLACE_ADDRESS] = frame->address,
	};

	function[FUNCTION_NAME] = add_text(thread, name);
	function[FUNCTION_FILE] = add_text(thread, frame->file);
	module[MODULE_NAME] = add_text(thread, frame->module);
	function[FUNCTION_RESOURCE] =
		frame->module ? pool__number(&thread->modules, module, sizeof(module)) : ID_NONE;
	place[PLACE_FUNCTION] = pool__number(&thread->functions, function, sizeof(function));
	return pool__number(&thread->places, place, sizeof(place));
}

/* The node of a stack's leaf; ID_NONE: the stack has no frames. */
static uint32_t add_stack(struct thread *thread, const struct owned_row *owned)
{
	const struct dictionary *dictionary = profile__dictionary(thread->recording->profile);
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, owned->row.stack, &nr_frames);
	uint32_t last = ID_NONE;

	while (nr_frames-- > 0) {
		const struct frame *frame = dictionary__frame(dictionary, frames[nr_frames]);
		const char *name = dictionary__frame_name(dictionary, frames[nr_frames]);
		const cell row[NODE_CELLS] = {
			[NODE_PREFIX] = last,
			[NODE_PLACE] = add_place(thread, frame, name),
			[NODE_KIND] = nr_frames || !owned->state ? frame->kind
								 : FRAME_KINDS + owned->state,
		};

		last = pool__number(&thread->nodes, row, sizeof(row));
	}
	return last;
}

/* ---- writing the tables, column by column ---- */

enum column_type {
	CELL_NULL, /* null in all rows */
	CELL_FALSE,
	CELL_NUMBER,
	CELL_ID,      /* ID_NONE: null */
	CELL_INDEX,   /* ID_NONE: -1 */
	CELL_ADDRESS, /* a 64-bit address */
};

struct column {
	const char *name;
	enum column_type type;
	size_t value; /* the number itself, or the index of the row's cell */
};

static void write_id(struct json *json, cell id)
{
	if (id == ID_NONE)
		json__null(json, NULL);
	else
		json__count(json, NULL, id);
}

static void write_cell(struct json *json, const struct column *column, const cell *row)
{
	switch (column->type) {
	case CELL_NULL:
		json__null(json, NULL);
		break;
	case CELL_FALSE:
		json__boolean(json, NULL, false);
		break;
	case CELL_NUMBER:
		json__count(json, NULL, column->value);
		break;
	case CELL_ID:
		write_id(json, row[column->value]);
		break;
	case CELL_INDEX:
		json__integer(json, NULL,
			      row[column->value] == ID_NONE ? -1 : (int64_t)row[column->value]);
		break;
	/* larger numbers are inexact in JavaScript, and are no offsets in files */
	case CELL_ADDRESS:
		json__integer(json, NULL,
			      row[column->value] < 1ULL << 53 ? (int64_t)row[column->value] : -1);
		break;
	}
}

/* Writes a table. columns ends with a zeroed entry. */
static void write_table(struct thread *thread, const char *name, const struct pool *pool,
			const struct column *columns)
{
	struct json *json = thread->json;

	json__open(json, name, '{');
	json__count(json, "length", pool->nr_items);
	for (; columns->name; columns++) {
		json__open(json, columns->name, '[');
		for (uint32_t i = 0; i < pool->nr_items; i++)
			write_cell(json, columns, pool__bytes(pool, i));
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

static const struct column place_columns[] = {{"address", CELL_ADDRESS, PLACE_ADDRESS},
					      {"inlineDepth", CELL_ID, PLACE_DEPTH},
					      {"category", CELL_ID, PLACE_KIND},
					      {"subcategory", CELL_NUMBER, 0},
					      {"func", CELL_ID, PLACE_FUNCTION},
					      {"nativeSymbol", CELL_NULL, 0},
					      {"innerWindowID", CELL_NULL, 0},
					      {"implementation", CELL_NULL, 0},
					      {"line", CELL_ID, PLACE_LINE},
					      {"column", CELL_NULL, 0},
					      {"optimizations", CELL_NULL, 0},
					      {0}};

static const struct column function_columns[] = {{"isJS", CELL_FALSE, 0},
						 {"relevantForJS", CELL_FALSE, 0},
						 {"name", CELL_ID, FUNCTION_NAME},
						 {"resource", CELL_INDEX, FUNCTION_RESOURCE},
						 {"fileName", CELL_ID, FUNCTION_FILE},
						 {"lineNumber", CELL_NULL, 0},
						 {"columnNumber", CELL_NULL, 0},
						 {0}};

static const struct column module_columns[] = {{"lib", CELL_NULL, 0},
					       {"name", CELL_ID, MODULE_NAME},
					       {"host", CELL_NULL, 0},
					       {"type", CELL_NUMBER, RESOURCE_LIBRARY},
					       {0}};

static const struct column node_columns[] = {{"prefix", CELL_ID, NODE_PREFIX},
					     {"frame", CELL_ID, NODE_PLACE},
					     {"category", CELL_ID, NODE_KIND},
					     {"subcategory", CELL_NUMBER, 0},
					     {0}};

/* ---- a thread ---- */

static uint64_t ns_of(const struct metric *metric, uint64_t value)
{
	const uint64_t unit_ns = metric__unit_ns(metric);

	return unit_ns && value > UINT64_MAX / unit_ns ? UINT64_MAX : value * unit_ns;
}

static uint64_t interval_ns(const struct recording *recording)
{
	uint64_t ns =
		ns_of(&profile__metrics(recording->profile)->of[VALUE_WEIGHT], recording->period);

	return ns ? ns : 1000000;
}

static void write_samples(struct thread *thread, const struct owned_row *rows, size_t nr_rows)
{
	struct json *json = thread->json;
	const struct metrics *metrics = profile__metrics(thread->recording->profile);
	const struct metric *shown = metrics__shown(metrics);
	const bool is_bytes = shown->unit && !strcmp(shown->unit, "bytes");
	uint64_t time_ns = 0;

	json__open(json, "samples", '{');
	json__count(json, "length", nr_rows);
	json__string(json, "weightType",
		     metric__unit_ns(shown) ? "tracing-ms"
		     : is_bytes		    ? "bytes"
					    : "samples");
	json__open(json, "stack", '[');
	for (size_t i = 0; i < nr_rows; i++)
		write_id(json, add_stack(thread, &rows[i]));
	json__close(json, ']');
	json__open(json, "time", '[');
	for (size_t i = 0; i < nr_rows; i++, time_ns += interval_ns(thread->recording))
		json__milliseconds(json, NULL, time_ns);
	json__close(json, ']');
	/* Metrics other than time and bytes are "samples"; the thread's name says the metric. */
	json__open(json, "weight", '[');
	for (size_t i = 0; i < nr_rows; i++) {
		const uint64_t value = rows[i].row.values[metrics->shown];

		if (metric__unit_ns(shown))
			json__milliseconds(json, NULL, ns_of(shown, value));
		else if (metric__decimals(shown))
			json__number(json, NULL, metric__number(shown, value));
		else
			json__count(json, NULL, value);
	}
	json__close(json, ']');
	json__close(json, '}');
}

static void write_thread(struct json *json, const struct recording *recording,
			 const struct owners *owners, size_t owner)
{
	struct thread thread = {.json = json, .recording = recording};
	size_t nr_rows;
	const struct owned_row *rows = owners__rows(owners, owner, &nr_rows);
	const struct process *process =
		dictionary__process(profile__dictionary(recording->profile), rows->row.process);
	char name[OWNER_NAME_SIZE];

	json__open(json, NULL, '{');
	json__string(json, "name", owners__name(owners, owner, name));
	json__string(json, "processName", *process->comm ? process->comm : "all");
	json__string(json, "processType", "default");
	json__boolean(json, "isMainThread", true);
	snprintf(name, sizeof(name), "%zu", owner); /* unique; pids of several files may be equal */
	json__string(json, "pid", name);
	json__count(json, "tid", (uint64_t)owner);
	json__count(json, "processStartupTime", 0);
	json__null(json, "processShutdownTime");
	json__count(json, "registerTime", 0);
	json__null(json, "unregisterTime");
	json__open(json, "pausedRanges", '[');
	json__close(json, ']');
	write_samples(&thread, rows, nr_rows);
	write_table(&thread, "frameTable", &thread.places, place_columns);
	write_table(&thread, "funcTable", &thread.functions, function_columns);
	write_table(&thread, "resourceTable", &thread.modules, module_columns);
	write_table(&thread, "stackTable", &thread.nodes, node_columns);
	write_empty_table(json, "markers",
			  (const char *const[]){"category", "data", "endTime", "name", "phase",
						"startTime", NULL});
	write_empty_table(
		json, "nativeSymbols",
		(const char *const[]){"address", "functionSize", "libIndex", "name", NULL});
	json__open(json, "stringArray", '[');
	for (uint32_t i = 0; i < thread.strings.nr_items; i++)
		json__string(json, NULL, pool__bytes(&thread.strings, i));
	json__close(json, ']');
	json__close(json, '}');
	pool__clear(&thread.strings);
	pool__clear(&thread.modules);
	pool__clear(&thread.functions);
	pool__clear(&thread.places);
	pool__clear(&thread.nodes);
}

int firefox__write(FILE *out, const struct recording *recording,
		   const struct write_options *options)
{
	const char *target =
		recording->facts[FACT_TARGET] ? recording->facts[FACT_TARGET] : "topstacks";
	const int nr_categories =
		profile__tells_waits(recording->profile) ? FRAME_KINDS + WAIT_STATES : FRAME_KINDS;
	struct json json = {.out = out};
	struct owners owners;

	owners__init(&owners, recording, options->merge);
	json__open(&json, NULL, '{');
	json__open(&json, "meta", '{');
	json__count(&json, "version", 24);
	json__count(&json, "preprocessedProfileVersion", 48);
	json__string(&json, "product", options->title ? options->title : target);
	json__string(&json, "importedFrom", "topstacks " TOPSTACKS_VERSION);
	json__milliseconds(&json, "startTime", (uint64_t)recording->start_realtime_ns);
	json__milliseconds(&json, "interval", interval_ns(recording));
	json__count(&json, "processType", 0);
	json__count(&json, "stackwalk", 1);
	json__boolean(&json, "debug", false);
	json__boolean(&json, "symbolicated", true);
	json__string(&json, "oscpu", recording->facts[FACT_KERNEL]);
	json__open(&json, "categories", '[');
	for (int kind = 0; kind < nr_categories; kind++) {
		json__open(&json, NULL, '{');
		json__string(&json, "name",
			     categories[kind].name ? categories[kind].name : "Other");
		json__string(&json, "color",
			     categories[kind].color ? categories[kind].color : "transparent");
		json__open(&json, "subcategories", '[');
		json__string(&json, NULL, "Other");
		json__close(&json, ']');
		json__close(&json, '}');
	}
	json__close(&json, ']');
	write_arrays(&json, (const char *const[]){"markerSchema", NULL});
	json__close(&json, '}');
	write_arrays(&json,
		     (const char *const[]){"libs", "pages", "counters", "profilerOverhead", NULL});
	json__open(&json, "threads", '[');
	for (size_t i = 0; i < owners.nr_owners; i++)
		write_thread(&json, recording, &owners, i);
	json__close(&json, ']');
	json__end(&json);
	owners__fini(&owners);
	return text__stream_error(out);
}
