// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ranks stacks; no other file does. Samples merge by name first, then rows are sorted. All
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
	/* for the order of names: those in use, the rank of each name, and its bits in a key */
	const struct name **used;
	size_t nr_used, used_capacity;
	uint32_t *ranks;
	unsigned int rank_bits;
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

struct place {
	uint64_t key; /* ranks of some names of the stack */
	const struct row *row;
};

/* By value, hottest first, then by comm. */
static int order_values(const void *left, const void *right, void *of)
{
	const struct row *a = ((const struct place *)left)->row;
	const struct row *b = ((const struct place *)right)->row;
	const struct ranking *ranking = of;
	const struct dictionary *dictionary = ranking->dictionary;
	const int order = order_numbers(b->values[ranking->value], a->values[ranking->value]);
	uint32_t comm_a, comm_b;

	if (order)
		return order;
	comm_a = dictionary__comm(dictionary, a->process);
	comm_b = dictionary__comm(dictionary, b->process);
	return comm_a == comm_b ? 0
				: strcmp(dictionary__string(dictionary, comm_a),
					 dictionary__string(dictionary, comm_b));
}

static int order_keys(const void *left, const void *right)
{
	return order_numbers(((const struct place *)left)->key, ((const struct place *)right)->key);
}

static int order_owners(const void *left, const void *right, void *of)
{
	const struct row *a = ((const struct place *)left)->row;
	const struct row *b = ((const struct place *)right)->row;
	const struct ranking *ranking = of;
	int order = 0;

	if (ranking->merge != MERGE_BY_COMM)
		order = order_processes(ranking->dictionary, a->process, b->process);
	return order ? order : (a->tid > b->tid) - (a->tid < b->tid);
}

static int order_names(const void *left, const void *right)
{
	const struct name *a = *(const struct name *const *)left;
	const struct name *b = *(const struct name *const *)right;
	const int order = strcmp(a->text, b->text);

	if (order || a->module == b->module)
		return order;
	return strcmp(a->module ? a->module : "", b->module ? b->module : "");
}

/* Gives the names of this stack ranks that are none yet, and lists them. */
static void use_names(struct ranking *ranking, uint32_t stack)
{
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(ranking->dictionary, stack, &nr_frames);

	for (size_t i = 0; i < nr_frames; i++) {
		const uint32_t name = dictionary__frame_name_id(ranking->dictionary, frames[i]);

		if (ranking->ranks[name])
			continue;
		array__reserve(&ranking->used, &ranking->used_capacity, ranking->nr_used + 1);
		ranking->used[ranking->nr_used++] = dictionary__name(ranking->dictionary, name);
		ranking->ranks[name] = ID_NONE;
	}
}

/*
 * Ranks the names of rows of equal values, from 1. Such stacks are many, and share most of their
 * names: by ranks, several names are compared at once.
 */
static void rank_names(struct ranking *ranking, const struct place *places, size_t nr)
{
	ranking->ranks = xcalloc(ranking->dictionary->names.nr_items + 1, sizeof(*ranking->ranks));
	for (size_t i = 0; i < nr; i++)
		if ((i && !order_values(&places[i - 1], &places[i], ranking)) ||
		    (i + 1 < nr && !order_values(&places[i], &places[i + 1], ranking)))
			use_names(ranking, places[i].row->stack);
	if (ranking->nr_used)
		qsort(ranking->used, ranking->nr_used, sizeof(*ranking->used), order_names);
	for (uint32_t i = 0; i < ranking->nr_used; i++)
		ranking->ranks[ranking->used[i]->item.id] = i + 1;
	ranking->rank_bits = ranking->nr_used < UINT8_MAX    ? 8
			     : ranking->nr_used < UINT16_MAX ? 16
							     : 32;
}

/* Ranks of the next names of a stack, the first one on top; 0 behind its last one. */
static uint64_t next_key(const struct ranking *ranking, uint32_t stack, size_t depth)
{
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(ranking->dictionary, stack, &nr_frames);
	uint64_t key = 0;

	for (unsigned int bits = 0; bits < 64; bits += ranking->rank_bits, depth++) {
		key <<= ranking->rank_bits;
		if (depth < nr_frames)
			key |= ranking->ranks[dictionary__frame_name_id(ranking->dictionary,
									frames[depth])];
	}
	return key;
}

/* Sorts rows of equal values whose stacks have equal names up to this depth. */
static void sort_by_names(struct ranking *ranking, struct place *places, size_t nr, size_t depth)
{
	const uint64_t last = ((uint64_t)1 << ranking->rank_bits) - 1;
	size_t first = 0, end;

	do {
		for (size_t i = 0; i < nr; i++)
			places[i].key = next_key(ranking, places[i].row->stack, depth);
		qsort(places, nr, sizeof(*places), order_keys);
		depth += 64 / ranking->rank_bits;
	} while (places[0].key == places[nr - 1].key && places[0].key & last);
	for (; first < nr; first = end) {
		for (end = first + 1; end < nr && places[end].key == places[first].key;)
			end++;
		if (end - first > 1 && places[first].key & last)
			sort_by_names(ranking, places + first, end - first, depth);
		else if (end - first > 1)
			qsort_r(places + first, end - first, sizeof(*places), order_owners,
				ranking);
	}
}

/* By value, then by comm, names and owner. */
static void sort_rows(struct ranking *ranking, struct place *places, size_t nr)
{
	size_t first = 0, end;

	qsort_r(places, nr, sizeof(*places), order_values, ranking);
	rank_names(ranking, places, nr);
	for (; first < nr; first = end) {
		for (end = first + 1;
		     end < nr && !order_values(&places[first], &places[end], ranking);)
			end++;
		if (end - first > 1)
			sort_by_names(ranking, places + first, end - first, 0);
	}
	free(ranking->used);
	free(ranking->ranks);
}

long profile__top_stacks(const struct profile *profile, enum merge merge, struct row **rows)
{
	struct ranking ranking = {.dictionary = profile__dictionary(profile),
				  .merge = merge,
				  .value = profile__metrics(profile)->shown};
	size_t nr_samples, nr_rows;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	struct place *places;

	ranking.rows = xcalloc(nr_samples + 1, sizeof(*ranking.rows));
	if (profile__has_waits(profile))
		ranking.waits = xcalloc(nr_samples + 1, sizeof(*ranking.waits));
	for (size_t i = 0; i < nr_samples; i++)
		merge_sample(&ranking, &samples[i]);
	nr_rows = ranking.keys.nr_items;
	for (size_t id = 0; ranking.waits && id < nr_rows; id++)
		ranking.rows[id].wait = main_wait(&ranking.waits[id]);
	pool__clear(&ranking.keys);
	free(ranking.waits);

	places = xcalloc(nr_rows + 1, sizeof(*places));
	for (size_t i = 0; i < nr_rows; i++)
		places[i].row = &ranking.rows[i];
	sort_rows(&ranking, places, nr_rows);
	*rows = xmalloc((nr_rows + 1) * sizeof(**rows));
	for (size_t i = 0; i < nr_rows; i++)
		(*rows)[i] = *places[i].row;
	free(places);
	free(ranking.rows);
	return (long)nr_rows;
}
