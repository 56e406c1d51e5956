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

static void merge_sample(struct ranking *ranking, const struct sample *sample)
{
	struct dictionary *dictionary = ranking->dictionary;
	const enum wait_state state = wait__state(sample->wait);
	const enum wait_kind kind = wait__kind(sample->wait);
	const uint64_t weight = sample->values[VALUE_WEIGHT];
	const int32_t tid = ranking->merge == MERGE_BY_THREAD ? sample->tid : 0;
	const uint32_t key[] = {
		ranking->merge == MERGE_BY_COMM ? dictionary__comm(dictionary, sample->process)
						: sample->process,
		dictionary__named_stack(dictionary, sample->stack),
		(uint32_t)tid,
	};
	const size_t nr_rows = ranking->keys.nr_items;
	const uint32_t id = pool__number(&ranking->keys, key, sizeof(key));
	struct row *row = &ranking->rows[id];
	uint64_t *of_word;

	if (id == nr_rows)
		*row = (struct row){
			.process = sample->process,
			.stack = sample->stack,
			.tid = tid,
			.thread = tid ? sample__thread(sample, dictionary) : NULL,
		};
	for (int value = 0; value < VALUES; value++)
		row->values[value] = sum_of(row->values[value], sample->values[value]);
	row->squares += sample->squares;
	row->by_state[state] = sum_of(row->by_state[state], weight);
	if (!ranking->waits)
		return;
	of_word = kind ? &ranking->waits[id].by_kind[kind] : &ranking->waits[id].of_no_kind[state];
	*of_word = sum_of(*of_word, weight);
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

static int order_rows(const struct row *a, const struct row *b, const struct ranking *ranking)
{
	const struct dictionary *dictionary = ranking->dictionary;
	int order = order_numbers(b->values[ranking->value], a->values[ranking->value]);
	uint32_t comm_a, comm_b;

	if (order) /* nearly always */
		return order;
	comm_a = dictionary__comm(dictionary, a->process);
	comm_b = dictionary__comm(dictionary, b->process);
	if (comm_a != comm_b)
		order = strcmp(dictionary__string(dictionary, comm_a),
			       dictionary__string(dictionary, comm_b));
	if (!order)
		order = stack__compare_names(dictionary, a->stack, b->stack);
	if (!order && ranking->merge != MERGE_BY_COMM)
		order = order_processes(dictionary, a->process, b->process);
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
 * Selecting takes nr_rows × log(nr) steps at worst, about nr_rows if nr is small.
 */
long profile__top_stacks(const struct profile *profile, enum merge merge, size_t nr,
			 struct row **rows)
{
	struct ranking ranking = {.dictionary = profile__dictionary(profile),
				  .merge = merge,
				  .value = profile__metrics(profile)->shown};
	struct heap heap = {.ranking = &ranking};
	size_t nr_samples, nr_rows;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	ranking.rows = xcalloc(nr_samples + 1, sizeof(*ranking.rows));
	if (profile__has_waits(profile))
		ranking.waits = xcalloc(nr_samples + 1, sizeof(*ranking.waits));
	for (size_t i = 0; i < nr_samples; i++)
		merge_sample(&ranking, &samples[i]);
	nr_rows = ranking.keys.nr_items;
	for (size_t id = 0; ranking.waits && id < nr_rows; id++)
		ranking.rows[id].wait = main_wait(&ranking.waits[id]);

	heap.items = xcalloc(nr_rows + 1, sizeof(*heap.items));
	for (size_t i = 0; i < nr_rows; i++)
		heap.items[i] = &ranking.rows[i];
	nr = nr < nr_rows ? nr : nr_rows;
	heap.nr_items = nr;
	for (size_t at = nr / 2; at-- > 0;)
		sift_down(&heap, at);
	for (size_t i = nr; nr && i < nr_rows; i++)
		if (order_items(&heap, i, 0) < 0) {
			swap_items(&heap, i, 0);
			sift_down(&heap, 0);
		}
	while (heap.nr_items > 1) {
		swap_items(&heap, 0, --heap.nr_items);
		sift_down(&heap, 0);
	}

	*rows = xcalloc(nr + 1, sizeof(**rows));
	for (size_t i = 0; i < nr; i++)
		(*rows)[i] = *heap.items[i];
	free(heap.items);
	pool__clear(&ranking.keys);
	free(ranking.waits);
	free(ranking.rows);
	return (long)nr;
}
