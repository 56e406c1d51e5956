// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/jit/jit_code.h"

#include "elf/symbol_table.h"
#include "readers/jit_files.h"

/* Memory of a tree node, with malloc's overhead for node and entry. */
#define NODE_BYTES 64

struct stored {
	struct range range;
	uint64_t index;
	const struct symbol_name *named;
	size_t name_bytes;
	char name[];
};

static size_t memory_bytes(const struct stored *entry)
{
	return NODE_BYTES + sizeof(*entry) + entry->name_bytes;
}

static void tell_gone(const struct jit_code *code, const struct stored *entry, uint64_t time_ns)
{
	const struct late_code gone = {
		.range = entry->range, .name = entry->name, .time_ns = time_ns};

	if (code->late)
		late_table__gone(code->late, code->source, &gone);
}

/* Removes a function. time_ns: when it was gone, as in records; 0: not known. */
static void remove_entry(struct jit_code *code, struct stored *entry, uint64_t time_ns)
{
	tell_gone(code, entry, time_ns);
	ranges__remove(&code->functions, &entry->range);
	code->bytes -= memory_bytes(entry);
	code->bounds->code_bytes -= memory_bytes(entry);
	free(entry);
}

static int tell_cleared(void *code, void *entry)
{
	tell_gone(code, entry, 0);
	return 0;
}

void jit_code__clear(struct jit_code *code)
{
	if (code->late)
		ranges__each(&code->functions, tell_cleared, code);
	ranges__clear(&code->functions, free);
	code->bounds->code_bytes -= code->bytes;
	code->bytes = 0;
	if (!code->link)
		return;
	*code->link = code->next;
	if (code->next)
		code->next->link = code->link;
	code->link = NULL;
}

/*
 * Makes room: the set with the most functions loses some to a set that has less. Fails if code is
 * that set.
 */
static bool make_room(struct jit_code *code, size_t wanted_bytes)
{
	static const struct range all = {0, UINT64_MAX};
	const struct jit_bounds *bounds = code->bounds;
	const size_t ahead = bounds->max_code_bytes / 64; /* free this much at once, so that it
							   * is rare */
	struct jit_code *largest = bounds->codes, *other;
	struct stored *entry;

	if (bounds->code_bytes + wanted_bytes <= bounds->max_code_bytes)
		return true;
	for (other = largest; other; other = other->next)
		if (other->bytes > largest->bytes)
			largest = other;
	if (!largest || largest->bytes <= code->bytes + wanted_bytes + ahead)
		return false;
	while (bounds->code_bytes + wanted_bytes + ahead > bounds->max_code_bytes &&
	       (entry = ranges__overlap(&largest->functions, &all)))
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
	entry = xmalloc(sizeof(*entry) + key->name_bytes);
	*entry = *key;
	memcpy(entry->name, name, key->name_bytes - 1);
	entry->name[key->name_bytes - 1] = '\0';
	ranges__add(&code->functions, &entry->range);
	code->bytes += memory_bytes(entry);
	code->bounds->code_bytes += memory_bytes(entry);
	if (code->link)
		return entry;
	code->link = &code->bounds->codes;
	code->next = *code->link;
	if (code->next)
		code->next->link = &code->next;
	*code->link = code;
	return entry;
}

/*
 * Adds a function, and removes those that overlap it: a runtime reuses memory only when the old
 * code does not run any more. This also holds for a record without a name, but not for one without
 * a size. If there is no room the function has no name, and its end will not be noticed.
 */
static void add(struct jit_code *code, const struct jit_record *record, const char *name)
{
	const struct stored key = {
		.range = {record->start, record->start + record->size - 1},
		.index = record->index,
		.name_bytes = strnlen(name, record->name_bytes) + 1,
	};
	struct late_code told = {.range = key.range, .time_ns = record->time_ns};
	const struct stored *added;
	struct stored *older;

	if (key.range.last < key.range.start || !record->size)
		return;
	while ((older = ranges__overlap(&code->functions, &key.range)))
		remove_entry(code, older, record->time_ns);
	if (key.name_bytes == 1)
		return;
	added = insert_entry(code, &key, name);
	if (code->late && added) {
		told.name = added->name;
		late_table__told(code->late, code->source, &told);
	} else if (code->late) {
		late_table__lose(code->late, code->source);
	}
}

static void move(struct jit_code *code, const struct jit_record *record)
{
	struct stored *entry = ranges__at(&code->functions, record->start);
	struct jit_record moved = {
		.start = record->to, .index = record->index, .time_ns = record->time_ns};
	char name[JIT_MAX_NAME_BYTES + 1];

	if (!entry || entry->range.start != record->start || entry->index != record->index)
		return;
	memcpy(name, entry->name, entry->name_bytes);
	moved.size = entry->range.last - entry->range.start + 1;
	moved.name_bytes = (uint32_t)entry->name_bytes - 1;
	remove_entry(code, entry, record->time_ns);
	add(code, &moved, name);
}

bool jit_code__find(const struct jit_code *code, uint64_t address, struct found_symbol *found)
{
	struct stored *entry = ranges__at(&code->functions, address);

	if (!entry)
		return false;
	*found = (struct found_symbol){
		.name = entry->name, .start = entry->range.start, .slot = &entry->named};
	return true;
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
		switch (record.operation) {
		case JIT_ADD:
			add(code, &record, records + sizeof(record));
			break;
		case JIT_MOVE:
			move(code, &record);
			break;
		case JIT_CLEAR:
			jit_code__clear(code);
			break;
		}
		records += JIT_RECORD_BYTES(record.name_bytes);
		nr_bytes -= JIT_RECORD_BYTES(record.name_bytes);
	}
	return 0;
}
