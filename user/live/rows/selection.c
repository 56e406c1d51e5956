// SPDX-License-Identifier: GPL-2.0-only
#include "live/rows/selection.h"

#include "profile/owner.h"
#include "profile/select/filter.h"

/* ---- places ---- */

static bool has_node(const struct row_place *place, struct row_ids *ids,
		     const struct sample *sample)
{
	const struct dictionary *dictionary = ids->dictionary;
	uint64_t owner = row_id__of_owner(dictionary, sample->process, sample->tid, place->merge);
	uint64_t path = 0;
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, sample->stack, &nr_frames);

	if (place->direction == TREE_FROM_ROOT)
		path = row_id__join(path, owner);
	for (size_t i = 0; i < nr_frames && path != place->id; i++) {
		size_t next = place->direction == TREE_FROM_ROOT ? nr_frames - 1 - i : i;

		path = row_id__join(path, row_ids__frame(ids, frames[next]));
	}
	if (path != place->id && place->direction == TREE_FROM_LEAF)
		path = row_id__join(path, owner);
	return path == place->id;
}

static bool has_frame(const struct row_place *place, struct row_ids *ids,
		      const struct sample *sample)
{
	const bool is_module = place->view == VIEW_MODULES;
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(ids->dictionary, sample->stack, &nr_frames);

	for (size_t i = 0; i < nr_frames; i++) {
		const char *module = dictionary__frame(ids->dictionary, frames[i])->module;

		if ((is_module ? row_id__of(module ? module : "[unknown]", NULL)
			       : row_ids__function(ids, frames[i])) == place->id)
			return true;
	}
	return false;
}

bool row_place__has(const struct row_place *place, struct row_ids *ids, const struct sample *sample)
{
	const struct dictionary *dictionary = ids->dictionary;
	const struct process *process;
	struct owner_text owner;
	uint64_t id;

	if (place->id == ROW_ID_NONE)
		return true;
	switch (place->view) {
	case VIEW_STACKS:
		id = row_id__of_owner(dictionary, sample->process, sample->tid, place->merge);
		return row_ids__stack(ids, id, sample->stack) == place->id;
	case VIEW_PROCESSES:
		process = dictionary__process(dictionary, sample->process);
		owner__format(&owner, process, place->merge == MERGE_BY_THREAD ? sample->tid : 0,
			      sample__thread(sample, dictionary));
		return row_id__of(place->merge == MERGE_BY_COMM ? process->comm : owner.text,
				  NULL) == place->id;
	case VIEW_TREE:
	case VIEW_FLAMES:
		return has_node(place, ids, sample);
	default:
		return has_frame(place, ids, sample);
	}
}

struct row_place selection__place(const struct selection *selection, uint64_t id)
{
	struct row_place place = {selection->view, selection->direction, selection->merge, id};

	if (selection->view == VIEW_PROCESSES)
		place.merge = selection->owners;
	return place;
}

/* ---- samples ---- */

bool selection__is_clear(const struct selection *selection)
{
	return !selection->hides_kernel && !selection->hides_user && !*selection->pattern &&
	       !*selection->states && !*selection->kinds && !selection->nr_zooms;
}

/* The state of one pass over a profile. */
struct selecting {
	const struct selection *selection;
	struct row_ids *ids;
	struct dictionary *dictionary;
	struct filter *filter; /* NULL: none */
	uint32_t *frames;      /* buffer for a stack */
	size_t capacity;
};

static bool is_let_through(const struct selecting *run, const struct sample *sample)
{
	if (!wait_choice__has(&run->selection->waits, sample->wait))
		return false;
	for (size_t i = 0; i < run->selection->nr_zooms; i++)
		if (!row_place__has(&run->selection->zooms[i], run->ids, sample))
			return false;
	return !run->filter || filter__matches_stack(run->filter, sample->stack) ||
	       filter__matches_text(run->filter,
				    dictionary__process(run->dictionary, sample->process)->comm);
}

/* False: no frame is left, so the sample is dropped. */
static bool strip(struct selecting *run, struct sample *sample)
{
	const struct selection *selection = run->selection;
	size_t nr_frames, nr_left = 0;
	const uint32_t *frames = dictionary__stack(run->dictionary, sample->stack, &nr_frames);

	array__reserve(&run->frames, &run->capacity, nr_frames);
	for (size_t i = 0; i < nr_frames; i++) {
		const bool is_kernel =
			dictionary__frame(run->dictionary, frames[i])->kind == FRAME_KERNEL;

		if (!(is_kernel ? selection->hides_kernel : selection->hides_user))
			run->frames[nr_left++] = frames[i];
	}
	if (nr_left && nr_left < nr_frames)
		sample->stack = dictionary__add_stack(run->dictionary, run->frames, nr_left);
	return nr_left > 0;
}

int selection__apply(const struct selection *selection, struct row_ids *ids,
		     const struct profile *profile, struct profile **out, struct error *err)
{
	const bool hides = selection->hides_kernel || selection->hides_user;
	struct selecting run = {
		.selection = selection, .ids = ids, .dictionary = profile__dictionary(profile)};
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	struct filter filter;
	int code;

	if (*selection->pattern) {
		code = filter__init(&filter, run.dictionary, selection->pattern, err);
		if (code)
			return code;
		run.filter = &filter;
	}
	row_ids__prepare(ids, run.dictionary);
	*out = profile__new_like(profile, run.dictionary);
	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];

		if (is_let_through(&run, &sample) && (!hides || strip(&run, &sample)))
			profile__add(*out, &sample);
	}
	if (run.filter)
		filter__fini(run.filter);
	free(run.frames);
	return 0;
}
