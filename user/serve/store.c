// SPDX-License-Identifier: GPL-2.0-only
#include "serve/store.h"

#include "formats/formats.h"

#define NR_FRESH    3 /* newest slices, which may get late names */
#define FRESH_SHARE 4 /* of the memory limit, for all of them */

/* ---- one slice ---- */

/* NULL: the process belongs to no user, or there are too many. */
static struct slice_owner *owner_of(struct slice *slice, const struct process *process)
{
	if (process->owner != OWNER_USER)
		return NULL;
	for (size_t i = 0; i < slice->nr_owners; i++)
		if (slice->owners[i].uid == process->uid)
			return &slice->owners[i];
	if (slice->nr_owners == MOST_OWNERS)
		return NULL;
	slice->owners[slice->nr_owners].uid = process->uid;
	return &slice->owners[slice->nr_owners++];
}

static struct slice *make_slice(const struct recording *interval, uint64_t end_ns)
{
	const struct profile *profile = interval->profile;
	const struct dictionary *known = profile__dictionary(profile);
	struct slice *slice = xcalloc(1, sizeof(*slice));
	struct dictionary *dictionary = dictionary__new();
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	recording__copy(&slice->recording, interval, dictionary);
	dictionary__free(dictionary);
	slice->nr_holders = 1;
	slice->end_ns = end_ns;
	slice->start_ns = end_ns - interval->duration_ns;
	slice->start_realtime_ns = interval->start_realtime_ns;
	slice->weight = profile__total(profile, VALUE_WEIGHT);
	for (size_t i = 0; i < nr_samples; i++) {
		struct slice_owner *owner =
			owner_of(slice, dictionary__process(known, samples[i].process));

		if (owner)
			owner->weight += samples[i].values[VALUE_WEIGHT];
	}
	return slice;
}

/* Packs a slice. 0, or negative errno and the slice is unchanged. */
static int pack(struct slice *slice)
{
	static const struct write_options options;
	FILE *out = xmemstream(&slice->bytes, &slice->nr_bytes);
	int code = pprof__write(out, &slice->recording, &options);

	if (fclose(out) && !code)
		code = -ENOMEM;
	if (code) {
		free(slice->bytes);
		slice->bytes = NULL;
		slice->nr_bytes = 0;
		return code;
	}
	recording__fini(&slice->recording);
	slice->recording = (struct recording){0};
	return 0;
}

/* ---- all slices; call with the lock held ---- */

static void let_go(struct slice *slice)
{
	if (--slice->nr_holders)
		return;
	recording__fini(&slice->recording);
	free(slice->bytes);
	free(slice);
}

static void forget_oldest(struct store *store)
{
	struct slice *slice = store->oldest;

	store->oldest = slice->next;
	if (!store->oldest)
		store->newest = NULL;
	store->nr_bytes -= slice->nr_bytes;
	store->nr_slices--;
	let_go(slice);
}

static size_t fresh_bytes(const struct store *store)
{
	size_t nr_bytes = 0;

	for (const struct slice *slice = store->oldest; slice; slice = slice->next)
		if (!slice->bytes)
			nr_bytes += recording__memory_bytes(&slice->recording);
	return nr_bytes;
}

/* Packs all slices but the newest; large ones of these too. */
static int pack_settled(struct store *store)
{
	uint64_t left = store->nr_slices;

	for (struct slice *slice = store->oldest; slice; slice = slice->next, left--) {
		int code;

		if (slice->bytes)
			continue;
		if (left <= NR_FRESH && fresh_bytes(store) <= store->max_bytes / FRESH_SHARE)
			break;
		code = pack(slice);
		if (code)
			return code;
		store->nr_bytes += slice->nr_bytes;
	}
	return 0;
}

/* ---- interface ---- */

void store__init(struct store *store, size_t max_bytes, uint64_t keep_ns)
{
	pthread_mutexattr_t attributes;

	*store = (struct store){.max_bytes = max_bytes, .keep_ns = keep_ns};
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK); /* for store__shed() */
	pthread_mutex_init(&store->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

void store__fini(struct store *store)
{
	while (store->oldest)
		forget_oldest(store);
	pthread_mutex_destroy(&store->lock);
}

int store__add(struct store *store, const struct recording *interval, uint64_t end_ns)
{
	struct slice *slice = make_slice(interval, end_ns);
	int code;

	pthread_mutex_lock(&store->lock);
	if (store->newest)
		store->newest->next = slice;
	else
		store->oldest = slice;
	store->newest = slice;
	store->nr_slices++;
	while ((code = pack_settled(store)) == -ENOMEM && store->oldest != slice) {
		forget_oldest(store);
		store->nr_forgotten++;
	}
	while (store->oldest && store->oldest->end_ns + store->keep_ns < end_ns)
		forget_oldest(store);
	while (store->nr_bytes > store->max_bytes) {
		forget_oldest(store);
		store->nr_forgotten++;
	}
	pthread_mutex_unlock(&store->lock);
	return code;
}

bool store__shed(struct store *store)
{
	uint64_t left;

	if (pthread_mutex_lock(&store->lock))
		return false;
	left = store->nr_slices - store->nr_slices / 2;
	for (uint64_t i = 0; i < left; i++) {
		forget_oldest(store);
		store->nr_forgotten++;
	}
	pthread_mutex_unlock(&store->lock);
	return left;
}

int store__visit_fresh(struct store *store, int (*visit)(void *context, struct recording *slice),
		       void *context)
{
	int code = 0;

	pthread_mutex_lock(&store->lock);
	for (struct slice *slice = store->oldest; slice && !code; slice = slice->next)
		if (!slice->bytes)
			code = visit(context, &slice->recording);
	pthread_mutex_unlock(&store->lock);
	return code;
}

static bool is_in(const struct slice *slice, const struct span *span)
{
	const int64_t length_ns = (int64_t)(slice->end_ns - slice->start_ns);
	const int64_t start_ns =
		span->is_realtime ? slice->start_realtime_ns : (int64_t)slice->start_ns;
	const int64_t from_ns = start_ns > span->from_ns ? start_ns : span->from_ns;
	const int64_t end_ns = start_ns + length_ns;
	const int64_t to_ns = end_ns < span->to_ns ? end_ns : span->to_ns;

	return 2 * (to_ns - from_ns) >= length_ns && to_ns > from_ns;
}

void store__hold(struct store *store, const struct span *span, struct slices *slices)
{
	*slices = (struct slices){0};
	pthread_mutex_lock(&store->lock);
	slices->list = xcalloc(store->nr_slices + 1, sizeof(*slices->list));
	for (struct slice *slice = store->oldest; slice; slice = slice->next) {
		if (!is_in(slice, span))
			continue;
		slice->nr_holders++;
		slices->list[slices->nr++] = slice;
	}
	pthread_mutex_unlock(&store->lock);
}

void store__let_go(struct store *store, struct slices *slices)
{
	pthread_mutex_lock(&store->lock);
	for (size_t i = 0; i < slices->nr; i++)
		let_go(slices->list[i]);
	pthread_mutex_unlock(&store->lock);
	free(slices->list);
	*slices = (struct slices){0};
}

int store__read(struct store *store, const struct slice *slice, struct recording *recording)
{
	static const struct read_options options;
	struct dictionary *dictionary;
	struct error err = {0};

	pthread_mutex_lock(&store->lock);
	if (!slice->bytes) {
		dictionary = dictionary__new();
		recording__copy(recording, &slice->recording, dictionary);
		dictionary__free(dictionary);
		pthread_mutex_unlock(&store->lock);
		return 0;
	}
	pthread_mutex_unlock(&store->lock);
	return formats__read(recording, slice->bytes, slice->nr_bytes, &options, &err);
}

void store__reach(struct store *store, uint64_t *from_ns, uint64_t *to_ns)
{
	pthread_mutex_lock(&store->lock);
	*from_ns = store->oldest ? store->oldest->start_ns : 0;
	*to_ns = store->newest ? store->newest->end_ns : 0;
	pthread_mutex_unlock(&store->lock);
}

struct store_facts store__facts(struct store *store)
{
	struct store_facts facts;

	pthread_mutex_lock(&store->lock);
	facts = (struct store_facts){.nr_slices = store->nr_slices,
				     .nr_bytes = store->nr_bytes,
				     .nr_forgotten = store->nr_forgotten};
	if (store->oldest)
		facts.reach_ns = store->newest->end_ns - store->oldest->start_ns;
	pthread_mutex_unlock(&store->lock);
	return facts;
}
