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

/* Samples come in runs of one owner, so most repetitions are dropped before sorting. */
static int collect_owners(struct tree_names *names, const struct profile *profile)
{
	size_t nr_samples, i, kept = 0;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	struct tree_owner *owners = calloc(nr_samples + 1, sizeof(*owners));

	if (!owners)
		return -ENOMEM;
	names->owners = owners;
	for (i = 0; i < nr_samples; i++) {
		owners[names->nr_owners] = owner_of(&samples[i], names->merge);
		if (!names->nr_owners ||
		    compare_owners(&owners[names->nr_owners - 1], &owners[names->nr_owners]))
			names->nr_owners++;
	}
	qsort(owners, names->nr_owners, sizeof(*owners), compare_owners);
	for (i = 0; i < names->nr_owners; i++)
		if (!kept || compare_owners(&owners[kept - 1], &owners[i]))
			owners[kept++] = owners[i];
	names->nr_owners = kept;
	return 0;
}

/* Marks the frames in use with 0; counts them. */
static size_t mark_frames(struct tree_names *names, const struct profile *profile)
{
	const struct dictionary *dictionary = profile__dictionary(profile);
	size_t nr_samples, nr_used = 0;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		size_t nr_frames;
		const uint32_t *frames =
			dictionary__stack(dictionary, samples[i].stack, &nr_frames);

		for (size_t j = 0; j < nr_frames; j++) {
			nr_used += names->of_frame[frames[j]] == ID_NONE;
			names->of_frame[frames[j]] = 0;
		}
	}
	return nr_used;
}

/* NULL: out of memory. */
static const char *owner_text(struct tree_names *names, const struct process *process, int32_t tid)
{
	char *text = NULL;
	int length;

	switch (names->merge) {
	case MERGE_BY_PROCESS:
		length = asprintf(&text, "%.*s-%d", PROCESS_COMM_SIZE, process->comm, process->pid);
		break;
	case MERGE_BY_THREAD:
		length = asprintf(&text, "%.*s-%d/%d", PROCESS_COMM_SIZE, process->comm,
				  process->pid, tid);
		break;
	default:
		length = asprintf(&text, "%.*s", PROCESS_COMM_SIZE, process->comm);
	}
	if (length < 0)
		return NULL;
	names->made[names->nr_made++] = text;
	return text;
}

/* Candidates of all owners, then of all used frames. Returns how many, or -ENOMEM. */
static long collect_candidates(struct tree_names *names, const struct dictionary *dictionary,
			       struct candidate *candidates)
{
	size_t nr_frames = dictionary__nr_frames(dictionary);
	struct candidate *next = candidates;

	for (struct tree_owner *owner = names->owners; owner < names->owners + names->nr_owners;
	     owner++) {
		next->name.process = true;
		next->name.text = owner_text(names, dictionary__process(dictionary, owner->process),
					     owner->tid);
		next->id = &owner->name;
		if (!next++->name.text)
			return -ENOMEM;
	}
	for (uint32_t i = 0; i < nr_frames; i++) {
		const struct frame *frame;

		if (names->of_frame[i] == ID_NONE)
			continue;
		frame = dictionary__frame(dictionary, i);
		next->name.text = dictionary__frame_name(dictionary, i);
		next->name.module = frame->module;
		next->name.kind = frame__shown_kind(frame);
		next++->id = &names->of_frame[i];
	}
	return next - candidates;
}

static int rank_candidates(struct tree_names *names, struct candidate *candidates, size_t nr)
{
	names->names = calloc(nr + 1, sizeof(*names->names));
	if (!names->names)
		return -ENOMEM;
	qsort(candidates, nr, sizeof(*candidates), compare_candidates);
	for (size_t i = 0; i < nr; i++) {
		if (!i || compare_names(&candidates[i - 1].name, &candidates[i].name))
			names->names[names->nr_names++] = candidates[i].name;
		*candidates[i].id = (uint32_t)(names->nr_names - 1);
	}
	return 0;
}

int tree_names__init(struct tree_names *names, const struct profile *profile, enum merge merge)
{
	const struct dictionary *dictionary = profile__dictionary(profile);
	size_t nr_candidates;
	struct candidate *candidates;
	long nr;

	names->merge = merge;
	names->of_frame = ids__new(dictionary__nr_frames(dictionary));
	if (!names->of_frame || collect_owners(names, profile))
		return -ENOMEM;
	nr_candidates = names->nr_owners + mark_frames(names, profile);
	names->made = calloc(names->nr_owners + 1, sizeof(*names->made));
	candidates = calloc(nr_candidates + 1, sizeof(*candidates));
	nr = -ENOMEM;
	if (names->made && candidates)
		nr = collect_candidates(names, dictionary, candidates);
	if (nr >= 0)
		nr = rank_candidates(names, candidates, (size_t)nr);
	free(candidates);
	return (int)nr;
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

	return owner->name;
}
