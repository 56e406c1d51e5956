// SPDX-License-Identifier: GPL-2.0-only
/*
 * A search tree of the C library. Ranges in it never overlap, and ranges that overlap compare
 * equal, so a lookup finds the range that contains an address or overlaps a new function.
 */
#include "symbols/jit/jit_code.h"

#include <search.h>

#include "elf/symbol_table.h"
#include "readers/jit_files.h"

/* Memory of a tree node, with malloc's overhead for node and entry. */
#define NODE_BYTES 64

struct stored {
	uint64_t start, last; /* addresses of its first and last byte */
	uint64_t index;
	const struct symbol_name *named;
	size_t name_bytes;
	char name[];
};

static int compare_ranges(const void *left, const void *right)
{
	const struct stored *a = left, *b = right;

	return (a->start > b->last) - (a->last < b->start);
}

static size_t memory_bytes(const struct stored *entry)
{
	return NODE_BYTES + sizeof(*entry) + entry->name_bytes;
}

static struct stored *find_overlap(const struct jit_code *code, const struct stored *key)
{
	struct stored *const *found = tfind(key, &code->tree, compare_ranges);

	return found ? *found : NULL;
}

static void tell_gone(const struct jit_code *code, const struct stored *entry, uint64_t time_ns)
{
	const struct late_code gone = {.start = entry->start,
				       .last = entry->last,
				       .name = entry->name,
				       .time_ns = time_ns};

	if (code->late)
		late_table__gone(code->late, code->source, &gone);
}

/* time_ns: as in records; 0: not known. */
static void remove_entry(struct jit_code *code, struct stored *entry, uint64_t time_ns)
{
	tell_gone(code, entry, time_ns);
	tdelete(entry, &code->tree, compare_ranges);
	code->bytes -= memory_bytes(entry);
	code->bounds->code_bytes -= memory_bytes(entry);
	free(entry);
}

static void tell_node_gone(const void *node, VISIT order, void *code)
{
	if (order == postorder || order == leaf)
		tell_gone(code, *(const struct stored *const *)node, 0);
}

void jit_code__clear(struct jit_code *code)
{
	if (code->late)
		twalk_r(code->tree, tell_node_gone, code);
	tdestroy(code->tree, free);
	code->tree = NULL;
	code->bounds->code_bytes -= code->bytes;
	code->bytes = 0;
	if (!code->link)
		return;
	*code->link = code->next;
	if (code->next)
		code->next->link = code->link;
	code->link = NULL;
}

static void link_code(struct jit_code *code)
{
	if (code->link)
		return;
	code->link = &code->bounds->codes;
	code->next = *code->link;
	if (code->next)
		code->next->link = &code->next;
	*code->link = code;
}

static struct jit_code *find_largest(const struct jit_bounds *bounds)
{
	struct jit_code *largest = bounds->codes, *code;

	for (code = largest; code; code = code->next)
		if (code->bytes > largest->bytes)
			largest = code;
	return largest;
}

/*
 * Makes room: the set with the most functions loses some to a set that has less. Fails if code is
 * that set.
 */
static bool make_room(struct jit_code *code, size_t wanted_bytes)
{
	const struct jit_bounds *bounds = code->bounds;
	const size_t ahead = bounds->max_code_bytes / 64; /* free this much at once, so that it
							   * is rare */
	const struct stored all = {.start = 0, .last = UINT64_MAX};
	struct jit_code *largest;
	struct stored *entry;

	if (bounds->code_bytes + wanted_bytes <= bounds->max_code_bytes)
		return true;
	largest = find_largest(bounds);
	if (!largest || largest->bytes <= code->bytes + wanted_bytes + ahead)
		return false;
	while (bounds->code_bytes + wanted_bytes + ahead > bounds->max_code_bytes &&
	       (entry = find_overlap(largest, &all)))
		remove_entry(largest, entry, 0);
	return bounds->code_bytes + wanted_bytes <= bounds->max_code_bytes;
}

/* Inserts a function. NULL: there is no room. */
static const struct stored *insert_entry(struct jit_code *code, const struct stored *key,
					 const char *name)
{
	struct stored *entry;

	if (!make_room(code, memory_bytes(key)))
		return NULL;
	entry = malloc(sizeof(*entry) + key->name_bytes);
	if (!entry)
		return NULL;
	*entry = *key;
	memcpy(entry->name, name, key->name_bytes - 1);
	entry->name[key->name_bytes - 1] = '\0';
	if (!tsearch(entry, &code->tree, compare_ranges)) {
		free(entry);
		return NULL;
	}
	link_code(code);
	code->bytes += memory_bytes(entry);
	code->bounds->code_bytes += memory_bytes(entry);
	return entry;
}

/*
 * Tells late names of a new function. entry NULL: there was no room for it, so its end will not be
 * noticed.
 */
static void tell_added(const struct jit_code *code, const struct stored *entry, uint64_t time_ns)
{
	struct late_code told = {.time_ns = time_ns};

	if (!code->late)
		return;
	if (!entry) {
		late_table__lose(code->late, code->source);
		return;
	}
	told.start = entry->start;
	told.last = entry->last;
	told.name = entry->name;
	late_table__told(code->late, code->source, &told);
}

/*
 * Adds a function, and removes those that overlap it: a runtime reuses memory only when the old
 * code does not run any more. This also holds for a record without a name, but not for one without
 * a size. If there is no room the function has no name.
 */
static void add(struct jit_code *code, const struct jit_record *record, const char *name)
{
	const struct stored key = {
		.start = record->start,
		.last = record->start + record->size - 1,
		.index = record->index,
		.name_bytes = strnlen(name, record->name_bytes) + 1,
	};
	struct stored *older;

	if (key.last < key.start || record->size == 0)
		return;
	while ((older = find_overlap(code, &key)))
		remove_entry(code, older, record->time_ns);
	if (key.name_bytes > 1)
		tell_added(code, insert_entry(code, &key, name), record->time_ns);
}

static void move(struct jit_code *code, const struct jit_record *record)
{
	const struct stored key = {.start = record->start, .last = record->start};
	struct stored *entry = find_overlap(code, &key);
	struct jit_record moved = {
		.start = record->to, .index = record->index, .time_ns = record->time_ns};
	char name[JIT_MAX_NAME_BYTES + 1];

	if (!entry || entry->start != record->start || entry->index != record->index)
		return;
	memcpy(name, entry->name, entry->name_bytes);
	moved.size = entry->last - entry->start + 1;
	moved.name_bytes = (uint32_t)entry->name_bytes - 1;
	remove_entry(code, entry, record->time_ns);
	add(code, &moved, name);
}

bool jit_code__find(const struct jit_code *code, uint64_t address, struct found_symbol *found)
{
	const struct stored key = {.start = address, .last = address};
	struct stored *entry = find_overlap(code, &key);

	if (!entry)
		return false;
	*found = (struct found_symbol){
		.name = entry->name, .start = entry->start, .slot = &entry->named};
	return true;
}

static void apply(struct jit_code *code, const struct jit_record *record, const char *name)
{
	switch (record->operation) {
	case JIT_ADD:
		add(code, record, name);
		break;
	case JIT_MOVE:
		move(code, record);
		break;
	case JIT_CLEAR:
		jit_code__clear(code);
		break;
	}
}

int jit_code__apply(struct jit_code *code, const char *records, size_t nr_bytes)
{
	struct jit_record record;

	while (nr_bytes) {
		if (nr_bytes < sizeof(record))
			return -EBADMSG;
		memcpy(&record, records, sizeof(record));
		if (record.operation >= NR_JIT_OPERATIONS ||
		    record.name_bytes > JIT_MAX_NAME_BYTES ||
		    JIT_RECORD_BYTES(record.name_bytes) > nr_bytes)
			return -EBADMSG;
		apply(code, &record, records + sizeof(record));
		records += JIT_RECORD_BYTES(record.name_bytes);
		nr_bytes -= JIT_RECORD_BYTES(record.name_bytes);
	}
	return 0;
}
