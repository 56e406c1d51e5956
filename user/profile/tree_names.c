// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives equal names equal ids, in order: candidates (a used frame or owner each) are sorted by text
 * and module, and equal neighbours share an id. So comparing ids compares names, and sorting by ids
 * gives the same order in every file with the same names.
 */
#include "profile/tree_names.h"

struct candidate {
	struct tree_name name;
	uint32_t *id; /* gets the rank */
};

static int compare_strings(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return a == b ? 0 : strcmp(a, b);
}

static int compare_names(const struct tree_name *a, const struct tree_name *b)
{
	int order;

	if (a->process != b->process)
		return a->process ? -1 : 1;
	order = compare_strings(a->text, b->text);
	return order ? order : compare_strings(a->module, b->module);
}

/*
 * The kind is not part of the name; it is compared only so that always the same one of several is
 * shown.
 */
static int compare_candidates(const void *va, const void *vb)
{
	const struct tree_name *a = &((const struct candidate *)va)->name;
	const struct tree_name *b = &((const struct candidate *)vb)->name;
	int order = compare_names(a, b);

	return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

static int compare_owners(const void *va, const void *vb)
{
	const struct tree_owner *a = va, *b = vb;

	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static struct tree_owner owner_of(const struct sample *sample, enum merge merge)
{
	return (struct tree_owner){
		.process = sample->process,
		.tid = merge == MERGE_BY_THREAD ? sample->tid : 0,
		.name = ID_NONE,
	};
}

static const char *owner_text(struct tree_names *names, const struct process *process, int32_t tid)
{
	char *text;

	if (names->merge == MERGE_BY_PROCESS)
		text = xasprintf("%.*s-%d", PROCESS_COMM_SIZE, process->comm, process->pid);
	else if (names->merge == MERGE_BY_THREAD)
		text = xasprintf("%.*s-%d/%d", PROCESS_COMM_SIZE, process->comm, process->pid, tid);
	else
		text = xasprintf("%.*s", PROCESS_COMM_SIZE, process->comm);
	names->made[names->nr_made++] = text;
	return text;
}

/* Samples come in runs of one owner, so most repetitions are dropped before sorting. */
static void collect_owners(struct tree_names *names, const struct sample *samples,
			   size_t nr_samples)
{
	struct tree_owner *owners = xcalloc(nr_samples + 1, sizeof(*owners));
	size_t kept = 0;

	for (size_t i = 0; i < nr_samples; i++) {
		owners[names->nr_owners] = owner_of(&samples[i], names->merge);
		if (!names->nr_owners ||
		    compare_owners(&owners[names->nr_owners - 1], &owners[names->nr_owners]))
			names->nr_owners++;
	}
	qsort(owners, names->nr_owners, sizeof(*owners), compare_owners);
	for (size_t i = 0; i < names->nr_owners; i++)
		if (!kept || compare_owners(&owners[kept - 1], &owners[i]))
			owners[kept++] = owners[i];
	names->owners = owners;
	names->nr_owners = kept;
}

void tree_names__init(struct tree_names *names, const struct profile *profile, enum merge merge)
{
	const struct dictionary *dictionary = profile__dictionary(profile);
	const size_t nr_all = dictionary__nr_frames(dictionary);
	size_t nr_samples, nr_frames, nr_used = 0, nr = 0;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	struct candidate *candidates;

	names->merge = merge;
	collect_owners(names, samples, nr_samples);
	names->of_frame = ids__new(nr_all);
	for (size_t i = 0; i < nr_samples; i++) {
		const uint32_t *frames =
			dictionary__stack(dictionary, samples[i].stack, &nr_frames);

		for (size_t j = 0; j < nr_frames; j++) {
			nr_used += names->of_frame[frames[j]] == ID_NONE;
			names->of_frame[frames[j]] = 0;
		}
	}

	/* Candidates are all owners and all used frames. */
	names->made = xcalloc(names->nr_owners + 1, sizeof(*names->made));
	candidates = xcalloc(names->nr_owners + nr_used + 1, sizeof(*candidates));
	for (size_t i = 0; i < names->nr_owners; i++) {
		struct tree_owner *owner = &names->owners[i];

		candidates[nr].name.process = true;
		candidates[nr].name.text = owner_text(
			names, dictionary__process(dictionary, owner->process), owner->tid);
		candidates[nr++].id = &owner->name;
	}
	for (uint32_t i = 0; i < nr_all; i++) {
		const struct frame *frame = dictionary__frame(dictionary, i);

		if (names->of_frame[i] == ID_NONE)
			continue;
		candidates[nr].name.text = dictionary__frame_name(dictionary, i);
		candidates[nr].name.module = frame->module;
		candidates[nr].name.kind = frame__shown_kind(frame);
		candidates[nr++].id = &names->of_frame[i];
	}

	qsort(candidates, nr, sizeof(*candidates), compare_candidates);
	names->names = xcalloc(nr + 1, sizeof(*names->names));
	for (size_t i = 0; i < nr; i++) {
		if (!i || compare_names(&candidates[i - 1].name, &candidates[i].name))
			names->names[names->nr_names++] = candidates[i].name;
		*candidates[i].id = (uint32_t)(names->nr_names - 1);
	}
	free(candidates);
}

void tree_names__fini(struct tree_names *names)
{
	for (size_t i = 0; i < names->nr_made; i++)
		free(names->made[i]);
	free(names->made);
	free(names->names);
	free(names->of_frame);
	free(names->owners);
}

uint32_t tree_names__owner(const struct tree_names *names, const struct sample *sample)
{
	struct tree_owner key = owner_of(sample, names->merge);
	const struct tree_owner *owner =
		bsearch(&key, names->owners, names->nr_owners, sizeof(key), compare_owners);

	return owner ? owner->name : ID_NONE;
}
