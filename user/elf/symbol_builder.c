// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table is flat: what overlaps in the file is cut into ranges when it is built, once, so that a
 * lookup is one binary search whatever the file says.
 *
 *	symbols      |---- parse ------------------|      |-- emit --|
 *	                      |- skip -|                  |- put -|          aliases of other sizes
 *	ranges       [ parse  )[ skip  )[ parse    )      [ put   )[ )
 *
 * Addresses are kept as 32 bit distances from the first symbol: no program's code spans 4 GiB, and
 * a symbol further away (which only a broken file has) is left out.
 */
#include "elf/symbol_builder.h"

#define MAX_SYMBOLS	(8U << 20)
#define MAX_NAMES_BYTES (256U << 20)

/*
 * Linkers may let a name share the end of another, but not of hundreds: this keeps the time linear
 * in the file's size.
 */
#define MAX_SHARING 8

/* A symbol while it is collected: 24 bytes, and a step of the sort moves them. */
struct symbol_entry {
	uint64_t start;
	const char *name; /* belongs to the source */
	union {
		uint32_t size;
		uint32_t copy; /* in table->names, once ranges are cut */
	};
	uint32_t name_length:20;
	uint32_t underscores:8;
	uint32_t binding:2;
	uint32_t sized:1;
	uint32_t used:1; /* a range uses it */
};

/* ---- collecting ---- */

void symbol_builder__fini(struct symbol_builder *builder)
{
	free(builder->entries);
	*builder = (struct symbol_builder){0};
}

void symbol_builder__expect(struct symbol_builder *builder, size_t source_bytes)
{
	builder->source_bytes += source_bytes;
}

int symbol_builder__measure(struct symbol_builder *builder, const char *name, size_t left,
			    size_t *length)
{
	const size_t most = left < SYMBOL_MAX_NAME_BYTES ? left : SYMBOL_MAX_NAME_BYTES;

	*length = strnlen(name, most);
	builder->looked_bytes += *length + 1;
	if (builder->looked_bytes > MAX_NAMES_BYTES ||
	    builder->looked_bytes / MAX_SHARING > builder->source_bytes)
		return -E2BIG;
	if (*length == most)
		*length = 0;
	return 0;
}

int symbol_builder__add(struct symbol_builder *builder, const struct symbol *symbol)
{
	uint32_t nr_underscores = 0;

	if (builder->nr_entries == MAX_SYMBOLS ||
	    builder->names_bytes + symbol->name_length + 1 > MAX_NAMES_BYTES)
		return -E2BIG;
	builder->names_bytes += symbol->name_length + 1;
	if (symbol->size == 0 || symbol->name_length >= SYMBOL_MAX_NAME_BYTES)
		return 0;
	while (nr_underscores < symbol->name_length && nr_underscores < UINT8_MAX &&
	       symbol->name[nr_underscores] == '_')
		nr_underscores++;
	if (array__try_reserve(&builder->entries, &builder->capacity, builder->nr_entries + 1))
		return -ENOMEM;
	builder->entries[builder->nr_entries++] = (struct symbol_entry){
		.start = symbol->start,
		.name = symbol->name,
		.size = symbol->size < UINT32_MAX ? (uint32_t)symbol->size : UINT32_MAX,
		.name_length = (uint32_t)symbol->name_length,
		.underscores = nr_underscores,
		.binding = symbol->binding,
		.sized = symbol->sized,
	};
	builder->nr_unnamed += !symbol->name_length;
	return 0;
}

/* ---- sorting: by start, outer before inner, sized before not, the best alias first ---- */

/* Number of first entries that are sorted already: for the kernel, all but those of modules. */
static size_t sorted_prefix(const struct symbol_entry *entries, size_t nr)
{
	uint64_t least = UINT64_MAX;
	size_t prefix = 1, i;

	while (prefix < nr && entries[prefix - 1].start <= entries[prefix].start)
		prefix++;
	for (i = prefix; i < nr; i++)
		if (entries[i].start < least)
			least = entries[i].start;
	while (prefix > 0 && prefix < nr && entries[prefix - 1].start > least)
		prefix--;
	return prefix;
}

/*
 * Sorts by one byte of the key, stable. False: all keys have the same byte, so nothing was moved.
 */
static bool sort_by_byte(const struct symbol_entry *from, struct symbol_entry *to, size_t nr,
			 uint64_t base, unsigned int shift)
{
	size_t positions[256] = {0};
	size_t i, sum = 0;

	for (i = 0; i < nr; i++)
		positions[((from[i].start - base) >> shift) & 0xff]++;
	if (positions[((from[0].start - base) >> shift) & 0xff] == nr)
		return false;
	for (i = 0; i < 256; i++) {
		const size_t count = positions[i];

		positions[i] = sum;
		sum += count;
	}
	for (i = 0; i < nr; i++)
		to[positions[((from[i].start - base) >> shift) & 0xff]++] = from[i];
	return true;
}

/* Sorts by start. All symbols are within 4 GiB of base, the smallest start. */
static int sort_by_start(struct symbol_builder *builder, uint64_t base)
{
	const size_t sorted = sorted_prefix(builder->entries, builder->nr_entries);
	struct symbol_entry *const first = builder->entries + sorted;
	struct symbol_entry *from = first, *scratch, *to;
	unsigned int shift;
	size_t nr;

	if (sorted >= builder->nr_entries)
		return 0;
	nr = builder->nr_entries - sorted;
	scratch = calloc(nr, sizeof(*scratch));
	if (!scratch)
		return -ENOMEM;
	for (shift = 0, to = scratch; shift < 32; shift += 8) {
		if (sort_by_byte(from, to, nr, base, shift)) {
			struct symbol_entry *sorted_by_it = to;

			to = from;
			from = sorted_by_it;
		}
	}
	if (from != first)
		memcpy(first, from, nr * sizeof(*first));
	free(scratch);
	return 0;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_aliases(const void *left, const void *right)
{
	const struct symbol_entry *a = left, *b = right;
	int order = compare_numbers(b->sized, a->sized);

	if (!order && a->sized)
		order = compare_numbers(b->size, a->size);
	if (!order)
		order = compare_numbers(a->binding, b->binding);
	if (!order)
		order = compare_numbers(a->underscores, b->underscores);
	if (!order)
		order = compare_numbers(a->name_length, b->name_length);
	return order ? order : memcmp(a->name, b->name, a->name_length);
}

/* ---- functions without a name ---- */

static uint64_t end_of(const struct symbol_entry *entry)
{
	return entry->start + entry->size < entry->start ? UINT64_MAX : entry->start + entry->size;
}

/* The largest entry without a name in [first, end), which have the same start; or NULL. */
static const struct symbol_entry *find_unnamed(const struct symbol_entry *first,
					       const struct symbol_entry *end, bool *is_named)
{
	const struct symbol_entry *unnamed = NULL;

	*is_named = false;
	for (; first < end; first++) {
		*is_named |= first->name_length > 0;
		if (!first->name_length && (!unnamed || first->size > unnamed->size))
			unnamed = first;
	}
	return unnamed;
}

/* Copies the named entries. A symbol without a size is limited to `most` bytes. */
static struct symbol_entry *keep_named(const struct symbol_entry *first,
				       const struct symbol_entry *end, uint32_t most,
				       struct symbol_entry *kept, uint64_t *named_end)
{
	for (; first < end; first++) {
		if (!first->name_length)
			continue;
		*kept = *first;
		if (!kept->sized && kept->size > most)
			kept->size = most;
		if (kept->sized && end_of(kept) > *named_end)
			*named_end = end_of(kept);
		kept++;
	}
	return kept;
}

/*
 * Drops functions without a name that begin at or inside of named ones. Entries are sorted by
 * start.
 */
static void drop_unnamed(struct symbol_builder *builder)
{
	struct symbol_entry *const end = builder->entries + builder->nr_entries;
	struct symbol_entry *first, *next, *kept = builder->entries;
	uint64_t named_end = 0; /* of all entries that begin before */

	for (first = builder->entries; first < end; first = next) {
		const struct symbol_entry *unnamed;
		bool is_named;

		for (next = first + 1; next < end && next->start == first->start;)
			next++;
		unnamed = find_unnamed(first, next, &is_named);
		if (is_named)
			kept = keep_named(first, next, unnamed ? unnamed->size : UINT32_MAX, kept,
					  &named_end);
		else if (unnamed->start >= named_end)
			*kept++ = *unnamed;
	}
	builder->nr_entries = (size_t)(kept - builder->entries);
}

/*
 * Drops symbols too far from the first one, so that distances fit in 32 bits. Returns the first
 * start.
 */
static uint64_t drop_distant(struct symbol_builder *builder)
{
	uint64_t base = UINT64_MAX;
	size_t i, kept = 0;

	for (i = 0; i < builder->nr_entries; i++)
		if (builder->entries[i].start < base)
			base = builder->entries[i].start;
	for (i = 0; i < builder->nr_entries; i++)
		if (builder->entries[i].start - base <= UINT32_MAX)
			builder->entries[kept++] = builder->entries[i];
	builder->nr_entries = kept;
	return base;
}

/* ---- cutting into ranges ---- */

/*
 * The sweep over all symbols. open: a stack of the symbols that contain the position, with the one
 * that starts last on top.
 */
struct sweep {
	struct symbol_ranges *into;
	struct symbol_entry *entries;
	uint32_t *open; /* indices of entries */
	size_t nr_open;
	uint64_t position; /* ranges before it are done */
};

static void emit(struct sweep *sweep, uint32_t index, uint64_t start, uint64_t end)
{
	struct symbol_ranges *into = sweep->into;
	struct symbol_entry *entry = &sweep->entries[index];

	if (end - into->base > UINT32_MAX)
		end = into->base + UINT32_MAX;
	if (start >= end)
		return;
	entry->used = true;
	into->ranges[into->nr_ranges++] = (struct symbol_range){
		.start = (uint32_t)(start - into->base),
		.size = (uint32_t)(end - start),
		.into = (uint32_t)(start - entry->start),
		.name = index, /* replaced in name_ranges() */
	};
}

/* Emits ranges of the open symbols up to limit, and closes those that end before it. */
static void advance(struct sweep *sweep, uint64_t limit)
{
	while (sweep->nr_open) {
		const uint32_t top = sweep->open[sweep->nr_open - 1];
		const uint64_t top_end = end_of(&sweep->entries[top]);
		const uint64_t end = top_end < limit ? top_end : limit;

		if (end > sweep->position) {
			emit(sweep, top, sweep->position, end);
			sweep->position = end;
		}
		if (top_end > limit)
			break;
		sweep->nr_open--;
	}
	sweep->position = limit;
}

/*
 * Emits a symbol without a size, a label: it covers the bytes up to the next symbol, but none
 * beyond a function that contains it. It is hidden inside of a function with a name.
 */
static void emit_unsized(struct sweep *sweep, size_t index, size_t nr)
{
	const struct symbol_entry *entries = sweep->entries, *outer = NULL;
	uint64_t end = end_of(&entries[index]);
	size_t next = index + 1;

	if (sweep->nr_open)
		outer = &entries[sweep->open[sweep->nr_open - 1]];
	if (outer && outer->name_length)
		return;
	while (next < nr && entries[next].start == entries[index].start)
		next++;
	if (next < nr && entries[next].start < end)
		end = entries[next].start;
	if (outer && end > end_of(outer))
		end = end_of(outer);
	emit(sweep, (uint32_t)index, entries[index].start, end);
	sweep->position = end;
}

/* Cuts sorted entries into ranges. Of aliases only the first counts. */
static void cut_into_ranges(struct sweep *sweep, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct symbol_entry *entry = &sweep->entries[i];
		const struct symbol_entry *before = i > 0 ? entry - 1 : NULL;

		if (before && entry->start == before->start && entry->sized == before->sized &&
		    (!entry->sized || entry->size == before->size))
			continue;
		advance(sweep, entry->start);
		if (entry->sized)
			sweep->open[sweep->nr_open++] = (uint32_t)i;
		else
			emit_unsized(sweep, i, nr);
	}
	advance(sweep, UINT64_MAX);
}

/* ---- finishing ---- */

/* Copies each used name once, and sets the names of the ranges. */
static int name_ranges(struct symbol_ranges *into, struct symbol_builder *builder)
{
	struct symbol_entry *const end = builder->entries + builder->nr_entries;
	struct symbol_entry *entry;
	size_t i;

	for (entry = builder->entries; entry < end; entry++)
		if (entry->used)
			into->names_bytes += entry->name_length + 1U;
	into->names = malloc(into->names_bytes + 1);
	if (!into->names)
		return -ENOMEM;
	into->names_bytes = 0;
	for (entry = builder->entries; entry < end; entry++) {
		char *copy = into->names + into->names_bytes;

		if (!entry->used)
			continue;
		memcpy(copy, entry->name, entry->name_length);
		copy[entry->name_length] = '\0';
		entry->copy = (uint32_t)into->names_bytes;
		into->names_bytes += entry->name_length + 1U;
	}
	for (i = 0; i < into->nr_ranges; i++)
		into->ranges[i].name = builder->entries[into->ranges[i].name].copy;
	return 0;
}

static int fill(struct symbol_ranges *into, struct symbol_builder *builder)
{
	struct sweep sweep = {.into = into};
	struct symbol_range *shrunk;

	if (builder->nr_entries == 0)
		return 0;
	into->base = drop_distant(builder);
	if (sort_by_start(builder, into->base))
		return -ENOMEM;
	if (builder->nr_unnamed)
		drop_unnamed(builder);
	for (size_t first = 0, end; first < builder->nr_entries; first = end) {
		for (end = first + 1; end < builder->nr_entries; end++)
			if (builder->entries[end].start != builder->entries[first].start)
				break;
		if (end - first > 1)
			qsort(builder->entries + first, end - first, sizeof(*builder->entries),
			      compare_aliases);
	}

	/* Each symbol begins one range at its start, and at most one at its inner symbol's end. */
	into->ranges = calloc(2 * builder->nr_entries + 1, sizeof(*into->ranges));
	sweep.open = calloc(builder->nr_entries + 1, sizeof(*sweep.open));
	sweep.entries = builder->entries;
	if (!into->ranges || !sweep.open) {
		free(sweep.open);
		return -ENOMEM;
	}
	cut_into_ranges(&sweep, builder->nr_entries);
	free(sweep.open);
	shrunk = realloc(into->ranges, (into->nr_ranges + 1) * sizeof(*into->ranges));
	if (shrunk)
		into->ranges = shrunk;
	return name_ranges(into, builder);
}

struct symbol_table *symbol_builder__finish(struct symbol_builder *builder)
{
	struct symbol_ranges ranges = {0};
	struct symbol_table *table = NULL;

	if (fill(&ranges, builder)) {
		free(ranges.ranges);
		free(ranges.names);
	} else {
		table = symbol_table__new(&ranges);
	}
	symbol_builder__fini(builder);
	return table;
}
