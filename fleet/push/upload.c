// SPDX-License-Identifier: GPL-2.0-only
#include "push/upload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <topstacks/hash.h>

#include "base/array.h"
#include "formats/formats.h"

#define MAX_INFLATED_BYTES ((size_t)256 << 20)
#define MAX_MEMORY_BYTES   ((size_t)1 << 30)
#define MAX_SAMPLES	   (UINT64_C(1) << 40) /* more than a machine has in a file: no sum overflows */

static void identify(uint64_t id[2], const char *bytes, size_t nr_bytes)
{
	id[0] = hash_word(HASH_SEED, nr_bytes);
	id[1] = hash_check_word(HASH_CHECK_SEED, nr_bytes);
	for (size_t i = 0; i < nr_bytes; i += sizeof(uint64_t)) {
		uint64_t word = 0;

		memcpy(&word, bytes + i, nr_bytes - i < sizeof(word) ? nr_bytes - i : sizeof(word));
		id[0] = hash_word(id[0], word);
		id[1] = hash_check_word(id[1], word);
	}
}

void upload__identify(const struct push_upload *upload, size_t from, size_t to, char id[37])
{
	uint64_t high = hash_word(hash_word(upload->id[0], from), to);
	uint64_t low = hash_check_word(hash_check_word(upload->id[1], from), to);

	/* UUID version 8: its bits may be chosen freely. */
	high = (high & ~UINT64_C(0xf000)) | 0x8000;
	low = (low & ~(UINT64_C(3) << 62)) | UINT64_C(2) << 62;
	snprintf(id, 37, "%08x-%04x-%04x-%04x-%012" PRIx64, (uint32_t)(high >> 32),
		 (uint32_t)(high >> 16) & 0xffff, (uint32_t)high & 0xffff, (uint32_t)(low >> 48),
		 low & UINT64_C(0xffffffffffff));
}

/* ---- series: each process of the dictionary gets one ---- */

struct named_series {
	struct push_series series;
	uint64_t nr_samples;
	uint32_t process; /* one of its processes */
	bool is_admitted;
};

/*
 * Names of a file's processes, each once, in the order of the file; of_process: the index of each.
 */
struct namings {
	struct pool found;
	struct named_series *list;
	size_t nr, capacity;
	uint32_t *of_process;
};

static int name_process(struct namings *namings, const struct dictionary *dictionary, uint32_t id)
{
	struct named_series naming = {.process = id};
	uint32_t number;

	series__of(&naming.series, dictionary__process(dictionary, id));
	number = pool__number(&namings->found, &naming.series, sizeof(naming.series));
	if (number == ID_NONE)
		return -ENOMEM;
	namings->of_process[id] = number;
	if (number < namings->nr)
		return 0;
	array__reserve(&namings->list, &namings->capacity, namings->nr + 1);
	namings->list[namings->nr++] = naming;
	return 0;
}

static void weigh(struct namings *namings, const struct profile *profile)
{
	size_t nr;
	const struct sample *samples = profile__samples(profile, &nr);

	for (size_t i = 0; i < nr; i++)
		namings->list[namings->of_process[samples[i].process]].nr_samples +=
			samples[i].values[VALUE_COUNT];
}

static int hottest_first(const void *left, const void *right)
{
	const struct named_series *a = *(const struct named_series *const *)left;
	const struct named_series *b = *(const struct named_series *const *)right;

	if (a->nr_samples != b->nr_samples)
		return a->nr_samples < b->nr_samples ? 1 : -1;
	return series__compare(&a->series, &b->series);
}

static void admit(struct namings *namings, struct series_table *table, bool may_add)
{
	struct named_series **ranked = xcalloc(namings->nr + 1, sizeof(*ranked));

	for (size_t i = 0; i < namings->nr; i++)
		ranked[i] = &namings->list[i];
	qsort(ranked, namings->nr, sizeof(*ranked), hottest_first);
	for (size_t i = 0; i < namings->nr; i++)
		ranked[i]->is_admitted = may_add ? series_table__admit(table, &ranked[i]->series)
						 : series_table__knows(table, &ranked[i]->series);
	free(ranked);
}

/* Stands for all processes of a series: it has its names, and nothing else. */
static uint32_t add_stand_in(struct dictionary *dictionary, const struct process *process,
			     size_t index)
{
	struct process stand_in = {.start_ns = index + 1};

	if (process) {
		memcpy(stand_in.comm, process->comm, sizeof(stand_in.comm));
		stand_in.cgroup_path = process->cgroup_path;
	} else {
		memcpy(stand_in.comm, series__other.comm, strlen(series__other.comm));
	}
	return dictionary__add_process(dictionary, &stand_in);
}

/* In the order of the file; "other" is the last one. of_naming: the series of each naming. */
static int make_series(struct push_upload *upload, const struct namings *namings,
		       uint32_t *of_naming)
{
	struct dictionary *dictionary = profile__dictionary(upload->recording.profile);

	upload->series = xcalloc(namings->nr + 1, sizeof(*upload->series));
	upload->processes = xcalloc(namings->nr + 1, sizeof(*upload->processes));
	for (size_t i = 0; i < namings->nr; i++) {
		const struct named_series *naming = &namings->list[i];
		const size_t nr = upload->nr_series;

		of_naming[i] = UINT32_MAX;
		if (!naming->is_admitted)
			continue;
		of_naming[i] = (uint32_t)nr;
		upload->series[nr] = naming->series;
		upload->processes[nr] = add_stand_in(
			dictionary, dictionary__process(dictionary, naming->process), nr);
		if (upload->processes[nr] == ID_NONE)
			return -ENOMEM;
		upload->nr_series++;
	}
	for (size_t i = 0; i < namings->nr; i++)
		if (of_naming[i] == UINT32_MAX)
			of_naming[i] = (uint32_t)upload->nr_series;
	upload->series[upload->nr_series] = series__other;
	upload->processes[upload->nr_series] = add_stand_in(dictionary, NULL, upload->nr_series);
	return upload->processes[upload->nr_series++] == ID_NONE ? -ENOMEM : 0;
}

/* ---- items ---- */

static int add_items(struct push_upload *upload, const struct profile *profile, uint32_t event)
{
	size_t nr;
	const struct sample *samples = profile__samples(profile, &nr);
	const struct dictionary *dictionary = profile__dictionary(profile);

	array__reserve(&upload->items, &upload->capacity, upload->nr_items + nr);
	for (size_t i = 0; i < nr; i++) {
		const struct process *process = dictionary__process(dictionary, samples[i].process);

		if (samples[i].values[VALUE_COUNT] > MAX_SAMPLES - upload->nr_samples)
			return -EINVAL;
		upload->nr_samples += samples[i].values[VALUE_COUNT];
		upload->items[upload->nr_items++] = (struct upload_item){
			.event = event,
			.series = (uint32_t)(process->start_ns - 1),
			.sample = samples[i],
		};
	}
	return 0;
}

/* Merges items to one sample for each series and stack. */
static int reduce(struct push_upload *upload, const struct profile *profile,
		  const struct namings *namings, const uint32_t *of_naming, uint32_t event)
{
	struct profile *reduced = profile__new_like(profile, profile__dictionary(profile));
	size_t nr;
	const struct sample *samples = profile__samples(profile, &nr);
	int code;

	for (size_t i = 0; i < nr; i++) {
		struct sample sample = {.stack = samples[i].stack};

		sample.process =
			upload->processes[of_naming[namings->of_process[samples[i].process]]];
		memcpy(sample.values, samples[i].values, sizeof(sample.values));
		profile__add(reduced, &sample);
	}
	code = add_items(upload, reduced, event);
	profile__free(reduced);
	return code;
}

static int in_order(const void *left, const void *right)
{
	const struct upload_item *a = left, *b = right;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->series != b->series)
		return a->series < b->series ? -1 : 1;
	return a->sample.stack < b->sample.stack ? -1 : a->sample.stack > b->sample.stack;
}

static int make_items(struct push_upload *upload, struct namings *namings,
		      struct series_table *table, bool may_add)
{
	uint32_t *of_naming = xcalloc(namings->nr + 1, sizeof(*of_naming));
	uint32_t event = 0;
	int code;

	admit(namings, table, may_add);
	code = make_series(upload, namings, of_naming);
	for (const struct recording *each = &upload->recording; each && !code; each = each->more)
		code = reduce(upload, each->profile, namings, of_naming, event++);
	if (!code && upload->nr_items)
		qsort(upload->items, upload->nr_items, sizeof(*upload->items), in_order);
	free(of_naming);
	return code;
}

static int name_and_make(struct push_upload *upload, struct series_table *table, bool may_add)
{
	struct dictionary *dictionary = profile__dictionary(upload->recording.profile);
	const size_t nr = dictionary__nr_processes(dictionary);
	struct namings namings = {.of_process = xcalloc(nr + 1, sizeof(*namings.of_process))};
	int code = 0;

	for (uint32_t i = 0; i < nr && !code; i++)
		code = name_process(&namings, dictionary, i);
	for (const struct recording *each = &upload->recording; each && !code; each = each->more)
		weigh(&namings, each->profile);
	if (!code)
		code = make_items(upload, &namings, table, may_add);
	pool__clear(&namings.found);
	free(namings.of_process);
	free(namings.list);
	return code;
}

/* Without counts there are no samples to count. */
static bool is_counted(const struct recording *recording)
{
	for (; recording; recording = recording->more)
		if (!profile__metrics(recording->profile)->of[VALUE_COUNT].name)
			return false;
	return true;
}

int upload__load(struct push_upload *upload, const char *bytes, size_t nr_bytes,
		 struct series_table *table, bool may_add)
{
	const struct read_options options = {.max_bytes = MAX_INFLATED_BYTES,
					     .max_memory_bytes = MAX_MEMORY_BYTES};
	int code;

	*upload = (struct push_upload){0};
	identify(upload->id, bytes, nr_bytes);
	code = formats__read(&upload->recording, bytes, nr_bytes, &options, NULL);
	if (code) {
		upload->recording = (struct recording){0};
		return code;
	}
	if (!is_counted(&upload->recording))
		return -EINVAL;
	return name_and_make(upload, table, may_add);
}

void upload__clear(struct push_upload *upload)
{
	recording__fini(&upload->recording);
	free(upload->series);
	free(upload->processes);
	free(upload->items);
	*upload = (struct push_upload){0};
}

/* ---- ranges ---- */

uint64_t upload__count(const struct push_upload *upload, size_t from, size_t to)
{
	uint64_t sum = 0;

	for (size_t i = from; i < to; i++)
		sum += upload->items[i].sample.values[VALUE_COUNT];
	return sum;
}

uint64_t upload__count_other(const struct push_upload *upload, size_t from, size_t to)
{
	uint64_t sum = 0;

	for (size_t i = from; i < to; i++)
		if (upload->items[i].series == upload->nr_series - 1)
			sum += upload->items[i].sample.values[VALUE_COUNT];
	return sum;
}

size_t upload__end_of_event(const struct push_upload *upload, size_t from, size_t to)
{
	size_t end = from;

	while (end < to && upload->items[end].event == upload->items[from].event)
		end++;
	return end;
}

size_t upload__end_of_series(const struct push_upload *upload, size_t from, size_t to)
{
	size_t end = from;

	to = upload__end_of_event(upload, from, to);
	while (end < to && upload->items[end].series == upload->items[from].series)
		end++;
	return end;
}

static const struct recording *event_of(const struct push_upload *upload, size_t item)
{
	const struct recording *event = &upload->recording;

	for (uint32_t i = 0; i < upload->items[item].event; i++)
		event = event->more;
	return event;
}

const char *upload__event(const struct push_upload *upload, size_t item)
{
	const char *name = event_of(upload, item)->facts[FACT_EVENT];

	return name ? name : "cpu-clock";
}

void upload__part(const struct push_upload *upload, size_t from, size_t to, struct recording *part)
{
	*part = *event_of(upload, from);
	part->more = NULL;
	part->slices = NULL;
	part->nr_slices = 0;
	part->profile = profile__new_like(part->profile, profile__dictionary(part->profile));
	for (size_t i = from; i < to; i++)
		profile__add(part->profile, &upload->items[i].sample);
}

const struct push_series *upload__series_of(const struct push_upload *upload,
					    const struct process *process)
{
	const uint64_t index = process->start_ns - 1;

	return index < upload->nr_series ? &upload->series[index] : &series__other;
}
