// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asked addresses are a sorted array, followed by new ones, which are sorted in before anything is
 * told. The process that tells chooses how much it tells, so each round has a limit of steps.
 */
#include "symbols/jit/late_table.h"

#include "elf/names.h"

#define MIN_UNSORTED 1024
#define LONGEST_NAME 8192 /* bytes; longer names lose their middle part */

/* Hashes of names that were told, or these. */
#define TOLD_NOTHING 0
#define TOLD_SEVERAL 1

/*
 * Functions that are gone, by address. Where different functions overlapped, only that fact is
 * kept, so reusing memory again and again does not make it grow.
 */
struct late_past {
	struct range range;
	uint64_t told;
	uint64_t gone_ns; /* when the last function was gone; UINT64_MAX: not known */
};

#define PAST_BYTES (48 + sizeof(struct late_past)) /* with the node, and malloc's overhead */

/* Shared by the asked addresses in one function. */
struct late_name {
	size_t references, bytes;
	uint64_t start;
	char text[];
};

/* The verdict of one source on an address. */
struct late_verdict {
	uint64_t told;
	struct late_name *name; /* NULL: there is none, or it was not kept */
	bool was_later;		/* a function was loaded after the last sample so far */
};

struct late_asked {
	uint64_t address;
	struct late_window window; /* covers all its samples */
	uint64_t first_to_ns;	   /* upper limit of the first sample's time */
	struct late_verdict of[LATE_SOURCES];
};

/* ---- names ---- */

/* Never TOLD_NOTHING or TOLD_SEVERAL. A process that forges equal hashes misnames only itself. */
static uint64_t number_of(const char *name)
{
	return 2 + (uint64_t)map__hash_more(0, name, strlen(name));
}

static void unref(struct late_bounds *bounds, struct late_name *name)
{
	if (!name || --name->references)
		return;
	bounds->bytes -= name->bytes;
	free(name);
}

/* Stores a name; the caller owns its first reference. NULL: there is no room. */
static struct late_name *keep_name(struct late_bounds *bounds, const struct late_code *code)
{
	char demangled[LONGEST_NAME];
	const bool is_mangled =
		bounds->demangle && names__demangle(code->name, demangled, sizeof(demangled));
	const char *text = is_mangled ? demangled : code->name;
	const size_t bytes = sizeof(struct late_name) + strlen(text) + 1;
	struct late_name *name;

	if (bounds->bytes + bytes > bounds->max_bytes)
		return NULL;
	name = xmalloc(bytes);
	*name = (struct late_name){.references = 1, .bytes = bytes, .start = code->range.start};
	strcpy(name->text, text);
	bounds->bytes += bytes;
	return name;
}

/* Sets a verdict, and moves a reference to name. name may be NULL. */
static void set_verdict(struct late_bounds *bounds, struct late_verdict *verdict, uint64_t told,
			struct late_name *name)
{
	if (name) {
		name->references++;
		bounds->nr_named++;
	}
	unref(bounds, verdict->name);
	verdict->told = told;
	verdict->name = name;
}

/* ---- addresses ---- */

static int compare_asked(const void *left, const void *right)
{
	const struct late_asked *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->window.from_ns > b->window.from_ns) - (a->window.from_ns < b->window.from_ns);
}

static void drop_asked(struct late_bounds *bounds, struct late_asked *asked)
{
	for (int source = 0; source < LATE_SOURCES; source++)
		unref(bounds, asked->of[source].name);
}

/*
 * Sorts new addresses in and merges equal ones. Nothing is told between the requests merged here,
 * so the same is known of each.
 */
static void sort_asked(struct late_table *table)
{
	size_t nr = 0;

	if (table->nr_sorted == table->nr_asked)
		return;
	qsort(table->asked, table->nr_asked, sizeof(*table->asked), compare_asked);
	for (size_t i = 0; i < table->nr_asked; i++) {
		struct late_asked *last = nr ? &table->asked[nr - 1] : NULL;
		struct late_asked *next = &table->asked[i];

		if (!last || last->address != next->address) {
			table->asked[nr++] = *next;
			continue;
		}
		if (last->window.to_ns < next->window.to_ns)
			last->window.to_ns = next->window.to_ns;
		drop_asked(table->bounds, next);
	}
	table->nr_asked = table->nr_sorted = nr;
}

static struct late_asked *find_sorted(const struct late_table *table, uint64_t address)
{
	const size_t at = array__lower_bound(table->asked, table->nr_sorted, address, address);

	return at < table->nr_sorted && table->asked[at].address == address ? &table->asked[at]
									    : NULL;
}

static bool has_room(struct late_table *table)
{
	const size_t before = table->capacity;
	size_t more;

	if (table->nr_asked < table->capacity)
		return true;
	more = (before ? before : 16) * sizeof(*table->asked);
	if (table->bounds->bytes + more > table->bounds->max_bytes)
		return false;
	array__reserve(&table->asked, &table->capacity, table->nr_asked + 1);
	table->bounds->bytes += (table->capacity - before) * sizeof(*table->asked);
	return true;
}

void late_table__want(struct late_table *table, uint64_t address, const struct late_window *window)
{
	struct late_asked *asked = find_sorted(table, address);
	const size_t nr_unsorted = table->nr_asked - table->nr_sorted;

	if (!asked && (nr_unsorted > MIN_UNSORTED + table->nr_sorted / 2 || !has_room(table))) {
		sort_asked(table);
		asked = find_sorted(table, address);
	}
	if (asked && asked->window.to_ns < window->to_ns) {
		/* A function loaded between the old and the new end is another one that was there. */
		asked->window.to_ns = window->to_ns;
		for (int source = 0; source < LATE_SOURCES; source++)
			if (asked->of[source].was_later)
				set_verdict(table->bounds, &asked->of[source], TOLD_SEVERAL, NULL);
	}
	if (asked || !has_room(table))
		return;
	asked = &table->asked[table->nr_asked++];
	*asked = (struct late_asked){
		.address = address, .window = *window, .first_to_ns = window->to_ns};
	for (int source = 0; source < LATE_SOURCES; source++) {
		const struct late_past *past = ranges__at(&table->past[source], address);

		if (past && past->gone_ns > window->from_ns)
			asked->of[source].told = past->told;
	}
}

/* ---- what is told ---- */

void late_table__lose(struct late_table *table, enum late_source source)
{
	table->is_lost[source] = true;
}

/*
 * Finds the asked addresses in the code: returns their number, *first is the first one. 0 if there
 * are none, or the source is not believed any more.
 */
static size_t asked_in(struct late_table *table, enum late_source source,
		       const struct late_code *code, struct late_asked **first)
{
	size_t at, nr = 0;

	sort_asked(table);
	at = array__lower_bound(table->asked, table->nr_sorted, address, code->range.start);
	*first = table->asked + at;
	while (at + nr < table->nr_asked && table->asked[at + nr].address <= code->range.last &&
	       nr < table->bounds->work)
		nr++;
	table->bounds->work -= nr;
	if (!table->bounds->work)
		late_table__lose(table, source);
	return table->is_lost[source] ? 0 : nr;
}

/*
 * Adds what a source tells to a verdict. A function loaded before all samples replaces earlier
 * ones; otherwise all must agree.
 */
static void hear(struct late_bounds *bounds, const struct late_asked *asked,
		 struct late_verdict *verdict, uint64_t time_ns, uint64_t told,
		 struct late_name *name)
{
	const bool is_first = verdict->told == TOLD_NOTHING && time_ns <= asked->first_to_ns;

	if (time_ns > asked->window.to_ns)
		verdict->was_later = true;
	else if (is_first || verdict->told == told || (time_ns && time_ns <= asked->window.from_ns))
		set_verdict(bounds, verdict, told, name);
	else
		set_verdict(bounds, verdict, TOLD_SEVERAL, NULL);
}

void late_table__told(struct late_table *table, enum late_source source,
		      const struct late_code *code)
{
	struct late_asked *first;
	const size_t nr = asked_in(table, source, code, &first);
	struct late_name *name = nr ? keep_name(table->bounds, code) : NULL;
	const uint64_t told = nr ? number_of(code->name) : TOLD_NOTHING;

	for (size_t i = 0; i < nr; i++)
		hear(table->bounds, &first[i], &first[i].of[source], code->time_ns, told, name);
	unref(table->bounds, name);
}

/* Whether past already says all that other says, except perhaps its time. */
static bool includes(const struct late_past *past, const struct late_past *other)
{
	const struct range *range = &past->range, *others = &other->range;

	if (past->told == TOLD_SEVERAL)
		return range->start <= others->start && range->last >= others->last;
	return range->start == others->start && range->last == others->last &&
	       past->told == other->told;
}

static void add_past(struct late_table *table, enum late_source source,
		     const struct late_code *code)
{
	struct ranges *past = &table->past[source];
	struct late_past *added = xmalloc(sizeof(*added)), *older;

	*added = (struct late_past){.range = code->range,
				    .told = number_of(code->name),
				    .gone_ns = code->time_ns ? code->time_ns : UINT64_MAX};
	while ((older = ranges__overlap(past, &added->range))) {
		if (includes(older, added)) {
			if (older->gone_ns < added->gone_ns)
				older->gone_ns = added->gone_ns;
			free(added);
			return;
		}
		added->told = TOLD_SEVERAL;
		if (older->range.start < added->range.start)
			added->range.start = older->range.start;
		if (older->range.last > added->range.last)
			added->range.last = older->range.last;
		if (older->gone_ns > added->gone_ns)
			added->gone_ns = older->gone_ns;
		ranges__remove(past, &older->range);
		free(older);
		table->nr_past--;
		table->bounds->bytes -= PAST_BYTES;
	}
	ranges__add(past, &added->range);
	table->nr_past++;
	table->bounds->bytes += PAST_BYTES;
}

void late_table__gone(struct late_table *table, enum late_source source,
		      const struct late_code *code)
{
	struct late_asked *first;
	const size_t nr = asked_in(table, source, code, &first);

	for (size_t i = 0; i < nr; i++)
		if (code->time_ns && code->time_ns <= first[i].window.from_ns)
			set_verdict(table->bounds, &first[i].of[source], TOLD_NOTHING, NULL);
	if (table->is_lost[source])
		return;
	if (table->bounds->bytes > table->bounds->max_bytes)
		late_table__lose(table, source);
	else
		add_past(table, source, code);
}

/* ---- answers ---- */

static enum late_answer answer_of(const struct late_table *table, const struct late_asked *asked,
				  const struct late_name **name)
{
	for (int source = 0; source < LATE_SOURCES; source++) {
		const struct late_verdict *verdict = &asked->of[source];

		if (table->is_lost[source] || verdict->told == TOLD_NOTHING)
			continue;
		if (verdict->told == TOLD_SEVERAL)
			return LATE_REUSED;
		*name = verdict->name;
		return *name ? LATE_NAMED : LATE_UNKNOWN;
	}
	return LATE_UNKNOWN;
}

enum late_answer late_table__find(struct late_table *table, uint64_t address, const char **name,
				  uint64_t *start)
{
	const struct late_asked *asked;
	const struct late_name *found = NULL;
	enum late_answer answer = LATE_UNKNOWN;

	sort_asked(table);
	asked = find_sorted(table, address);
	if (asked)
		answer = answer_of(table, asked, &found);
	if (answer == LATE_NAMED) {
		*name = found->text;
		*start = found->start;
	}
	return answer;
}

size_t late_table__nr_reused(struct late_table *table)
{
	const struct late_name *name;
	size_t nr = 0;

	sort_asked(table);
	for (size_t i = 0; i < table->nr_asked; i++)
		nr += answer_of(table, &table->asked[i], &name) == LATE_REUSED;
	return nr;
}

void late_table__fini(struct late_table *table)
{
	for (size_t i = 0; i < table->nr_asked; i++)
		drop_asked(table->bounds, &table->asked[i]);
	for (int source = 0; source < LATE_SOURCES; source++)
		ranges__clear(&table->past[source], free);
	table->bounds->bytes -=
		table->nr_past * PAST_BYTES + table->capacity * sizeof(*table->asked);
	free(table->asked);
	table->asked = NULL;
	table->nr_asked = table->nr_sorted = table->capacity = table->nr_past = 0;
}
