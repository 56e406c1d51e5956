// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ranks stacks; no other file does. Samples merge by name first, then the hottest are selected. All
 * orders are total, so that equal data give equal output in whatever order it was collected.
 */

#include "profile/interned.h"
#include "profile/profile.h"

static int order_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* ---- stacks ---- */

/*
 * Weights of a row by the words of wait__describe(): by kind, or by state if the wait has no kind.
 */
struct row_waits {
	uint64_t by_kind[WAIT_KINDS];
	uint64_t of_no_kind[WAIT_STATES];
};

struct ranking {
	struct dictionary *dictionary;
	enum merge merge;
	enum value value;
	struct pool keys; /* of rows: owner (comm's string id, or process), named stack, tid */
	struct row *rows;
	struct row_waits *waits; /* of each row; NULL: the profile has no waits */
};

static void add_wait(struct ranking *ranking, uint32_t id, const struct sample *sample)
{
	const enum wait_state state = wait__state(sample->wait);
	const enum wait_kind kind = wait__kind(sample->wait);
	const uint64_t weight = sample->values[VALUE_WEIGHT];
	uint64_t *of_state = &ranking->rows[id].by_state[state];
	uint64_t *of_word;

	*of_state = sum_of(*of_state, weight);
	if (!ranking->waits)
		return;
	of_word = kind ? &ranking->waits[id].by_kind[kind] : &ranking->waits[id].of_no_kind[state];
	*of_word = sum_of(*of_word, weight);
}

/* The wait with most weight, the first of equal ones; 0 if no weight has a wait. */
static uint32_t main_wait(const struct row_waits *waits)
{
	uint64_t most = 0;
	uint32_t wait = 0;

	for (uint32_t kind = 1; kind < WAIT_KINDS; kind++)
		if (waits->by_kind[kind] > most) {
			most = waits->by_kind[kind];
			wait = WAIT(WAIT_UNKNOWN, kind);
		}
	for (uint32_t state = 1; state < WAIT_STATES; state++)
		if (waits->of_no_kind[state] > most) {
			most = waits->of_no_kind[state];
			wait = WAIT(state, WAIT_FOR_NOTHING);
		}
	return wait;
}

static int merge_sample(struct ranking *ranking, const struct sample *sample)
{
	struct dictionary *dictionary = ranking->dictionary;
	const int32_t tid = ranking->merge == MERGE_BY_THREAD ? sample->tid : 0;
	const uint32_t key[] = {
		ranking->merge == MERGE_BY_COMM ? dictionary__comm(dictionary, sample->process)
						: sample->process,
		dictionary__named_stack(dictionary, sample->stack),
		(uint32_t)tid,
	};
	size_t nr_rows = ranking->keys.nr_items;
	uint32_t id = key[1] == ID_NONE ? ID_NONE : pool__number(&ranking->keys, key, sizeof(key));

	if (id == ID_NONE)
		return -ENOMEM;
	if (id == nr_rows)
		ranking->rows[id] = (struct row){
			.process = sample->process,
			.stack = sample->stack,
			.tid = tid,
			.thread = tid ? sample__thread(sample, dictionary) : NULL,
		};
	for (int value = 0; value < VALUES; value++)
		ranking->rows[id].values[value] =
			sum_of(ranking->rows[id].values[value], sample->values[value]);
	ranking->rows[id].squares += sample->squares;
	add_wait(ranking, id, sample);
	return 0;
}

/* Fills rows and waits, which the ranking owns even after an error. 0 or -ENOMEM. */
static int merge_samples(struct ranking *ranking, const struct profile *profile)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	const bool has_waits = profile__has_waits(profile);
	const size_t nr = nr_samples ? nr_samples : 1;
	int code = 0;

	ranking->rows = calloc(nr, sizeof(*ranking->rows));
	if (has_waits)
		ranking->waits = calloc(nr, sizeof(*ranking->waits));
	if (!ranking->rows || (has_waits && !ranking->waits))
		return -ENOMEM;
	for (size_t i = 0; i < nr_samples && !code; i++)
		code = merge_sample(ranking, &samples[i]);
	for (size_t id = 0; ranking->waits && id < ranking->keys.nr_items; id++)
		ranking->rows[id].wait = main_wait(&ranking->waits[id]);
	return code;
}

static int order_processes(const struct dictionary *dictionary, uint32_t left, uint32_t right)
{
	const struct process *a = dictionary__process(dictionary, left);
	const struct process *b = dictionary__process(dictionary, right);

	if (a->pid != b->pid)
		return (a->pid > b->pid) - (a->pid < b->pid);
	if (a->start_ns != b->start_ns)
		return order_numbers(a->start_ns, b->start_ns);
	if (a->exec_id != b->exec_id)
		return order_numbers(a->exec_id, b->exec_id);
	if (a->owner != b->owner)
		return order_numbers(a->owner, b->owner);
	return order_numbers(a->uid, b->uid);
}

static int order_comms(const struct dictionary *dictionary, uint32_t left, uint32_t right)
{
	uint32_t a = dictionary__comm(dictionary, left), b = dictionary__comm(dictionary, right);

	if (a == b)
		return 0;
	return strcmp(dictionary__string(dictionary, a), dictionary__string(dictionary, b));
}

static int order_rows(const struct row *a, const struct row *b, const struct ranking *ranking)
{
	int order = order_numbers(b->values[ranking->value], a->values[ranking->value]);

	if (!order)
		order = order_comms(ranking->dictionary, a->process, b->process);
	if (!order)
		order = stack__compare_names(ranking->dictionary, a->stack, b->stack);
	if (!order && ranking->merge != MERGE_BY_COMM)
		order = order_processes(ranking->dictionary, a->process, b->process);
	return order ? order : (a->tid > b->tid) - (a->tid < b->tid);
}

/* ---- the first few of many, in order ---- */

/*
 * A heap of the best rows so far, with the worst of them on top: any row that is not better costs
 * one comparison. Taking the worst off one by one leaves the best in order.
 */
struct heap {
	const struct row **items;
	size_t nr_items;
	const struct ranking *ranking;
};

static void swap_items(struct heap *heap, size_t a, size_t b)
{
	const struct row *item = heap->items[a];

	heap->items[a] = heap->items[b];
	heap->items[b] = item;
}

static int order_items(const struct heap *heap, size_t a, size_t b)
{
	return order_rows(heap->items[a], heap->items[b], heap->ranking);
}

/* Moves the item at this index down to its place; all items below are in heap order. */
static void sift_down(struct heap *heap, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < heap->nr_items; at = child) {
		if (child + 1 < heap->nr_items && order_items(heap, child, child + 1) < 0)
			child++;
		if (order_items(heap, at, child) >= 0)
			return;
		swap_items(heap, at, child);
	}
}

/*
 * Sorts the first nr of nr_items rows to the front; the others are in no order. Takes nr_items ×
 * log(nr) steps at worst, about nr_items if nr is small. Returns how many were sorted.
 */
static size_t select_first(const struct ranking *ranking, const struct row **items, size_t nr_items,
			   size_t nr)
{
	size_t nr_first = nr < nr_items ? nr : nr_items;
	struct heap heap = {items, nr_first, ranking};

	if (!nr_first)
		return 0;
	for (size_t at = nr_first / 2; at-- > 0;)
		sift_down(&heap, at);
	for (size_t i = nr_first; i < nr_items; i++) {
		if (order_items(&heap, i, 0) >= 0)
			continue;
		swap_items(&heap, i, 0);
		sift_down(&heap, 0);
	}
	while (heap.nr_items > 1) {
		swap_items(&heap, 0, --heap.nr_items);
		sift_down(&heap, 0);
	}
	return nr_first;
}

/* Copies the nr first rows into a new array for the caller. */
static long select_rows(const struct ranking *ranking, size_t nr, struct row **rows)
{
	size_t nr_rows = ranking->keys.nr_items;
	const struct row **items = calloc(nr_rows ? nr_rows : 1, sizeof(*items));
	size_t nr_first;

	if (!items)
		return -ENOMEM;
	for (size_t i = 0; i < nr_rows; i++)
		items[i] = &ranking->rows[i];
	nr_first = select_first(ranking, items, nr_rows, nr);
	*rows = calloc(nr_first ? nr_first : 1, sizeof(**rows));
	for (size_t i = 0; *rows && i < nr_first; i++)
		(*rows)[i] = *items[i];
	free(items);
	return *rows ? (long)nr_first : -ENOMEM;
}

long profile__top_stacks(const struct profile *profile, enum merge merge, size_t nr,
			 struct row **rows)
{
	struct ranking ranking = {.dictionary = profile__dictionary(profile),
				  .merge = merge,
				  .value = profile__metrics(profile)->shown};
	long result = merge_samples(&ranking, profile);

	*rows = NULL;
	if (!result)
		result = select_rows(&ranking, nr, rows);
	pool__clear(&ranking.keys);
	free(ranking.waits);
	free(ranking.rows);
	return result;
}
