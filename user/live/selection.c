// SPDX-License-Identifier: GPL-2.0-only
#include "live/selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "live/row_ids.h"
#include "profile/filter.h"
#include "profile/owner.h"

/* ---- places ---- */

static bool has_node(const struct place *place, struct identities *identities,
		     const struct sample *sample)
{
	const struct dictionary *dictionary = identities->dictionary;
	uint64_t owner = identity__of_owner(dictionary, sample->process, sample->tid, place->merge);
	uint64_t path = 0;
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, sample->stack, &nr_frames);

	if (place->direction == TREE_FROM_ROOT)
		path = identity__join(path, owner);
	for (size_t i = 0; i < nr_frames && path != place->id; i++) {
		size_t next = place->direction == TREE_FROM_ROOT ? nr_frames - 1 - i : i;

		path = identity__join(path, identities__frame(identities, frames[next]));
	}
	if (path != place->id && place->direction == TREE_FROM_LEAF)
		path = identity__join(path, owner);
	return path == place->id;
}

static uint64_t identity_of(const struct place *place, struct identities *identities,
			    uint32_t frame)
{
	const char *module;

	if (place->view != VIEW_MODULES)
		return identities__function(identities, frame);
	module = dictionary__frame(identities->dictionary, frame)->module;
	return identity__of(module ? module : "[unknown]", NULL);
}

static bool has_frame(const struct place *place, struct identities *identities,
		      const struct sample *sample)
{
	size_t nr_frames;
	const uint32_t *frames =
		dictionary__stack(identities->dictionary, sample->stack, &nr_frames);

	for (size_t i = 0; i < nr_frames; i++)
		if (identity_of(place, identities, frames[i]) == place->id)
			return true;
	return false;
}

bool place__has(const struct place *place, struct identities *identities,
		const struct sample *sample)
{
	const struct dictionary *dictionary = identities->dictionary;
	struct owner_text owner;
	uint64_t id;

	if (place->id == IDENTITY_NONE)
		return true;
	switch (place->view) {
	case VIEW_STACKS:
		id = identity__of_owner(dictionary, sample->process, sample->tid, place->merge);
		return identities__stack(identities, id, sample->stack) == place->id;
	case VIEW_PROCESSES:
		owner__format(&owner, dictionary__process(dictionary, sample->process),
			      place->merge == MERGE_BY_THREAD ? sample->tid : 0);
		return identity__of(owner.text, NULL) == place->id;
	case VIEW_TREE:
	case VIEW_FLAMES:
		return has_node(place, identities, sample);
	default:
		return has_frame(place, identities, sample);
	}
}

struct place look__place(const struct look *look, uint64_t id)
{
	struct place place = {look->view, look->direction, look->merge, id};

	if (look->view == VIEW_PROCESSES)
		place.merge = look->by_thread ? MERGE_BY_THREAD : MERGE_BY_PROCESS;
	return place;
}

/* ---- samples ---- */

bool look__is_clear(const struct look *look)
{
	return !look->hides_kernel && !look->hides_user && !*look->pattern && !look->nr_zooms;
}

/* One pass over a profile. */
struct pass {
	const struct look *look;
	struct identities *identities;
	struct dictionary *dictionary;
	struct filter *filter; /* NULL: none */
	uint32_t *frames;      /* room for a stack */
	size_t capacity;
};

static bool is_let_through(const struct pass *pass, const struct sample *sample)
{
	for (size_t i = 0; i < pass->look->nr_zooms; i++)
		if (!place__has(&pass->look->zooms[i], pass->identities, sample))
			return false;
	return !pass->filter || filter__matches_stack(pass->filter, sample->stack) ||
	       filter__matches_text(pass->filter,
				    dictionary__process(pass->dictionary, sample->process)->comm);
}

static bool is_hidden(const struct look *look, enum frame_kind kind)
{
	return kind == FRAME_KERNEL ? look->hides_kernel : look->hides_user;
}

/* 1: frames are left; 0: none is, and the sample with them; -ENOMEM. */
static int strip(struct pass *pass, struct sample *sample)
{
	size_t nr_frames, nr_left = 0;
	const uint32_t *frames = dictionary__stack(pass->dictionary, sample->stack, &nr_frames);

	if (array__reserve(&pass->frames, &pass->capacity, nr_frames))
		return -ENOMEM;
	for (size_t i = 0; i < nr_frames; i++)
		if (!is_hidden(pass->look, dictionary__frame(pass->dictionary, frames[i])->kind))
			pass->frames[nr_left++] = frames[i];
	if (nr_left && nr_left < nr_frames)
		sample->stack = dictionary__add_stack(pass->dictionary, pass->frames, nr_left);
	return sample->stack == ID_NONE ? -ENOMEM : nr_left > 0;
}

static int copy_samples(struct pass *pass, const struct profile *profile, struct profile *made)
{
	bool hides = pass->look->hides_kernel || pass->look->hides_user;
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	int code = 0;

	for (size_t i = 0; i < nr_samples && code >= 0; i++) {
		struct sample sample = samples[i];

		if (!is_let_through(pass, &sample))
			continue;
		code = hides ? strip(pass, &sample) : 1;
		if (code > 0)
			code = profile__add(made, &sample);
	}
	return code < 0 ? code : 0;
}

int look__apply(const struct look *look, struct identities *identities,
		const struct profile *profile, struct profile **out, struct error *err)
{
	struct pass pass = {
		.look = look, .identities = identities, .dictionary = profile__dictionary(profile)};
	struct profile *made = profile__new(pass.dictionary);
	struct filter filter;
	int code = made ? identities__prepare(identities, pass.dictionary) : -ENOMEM;

	if (!code && *look->pattern) {
		code = filter__init(&filter, pass.dictionary, look->pattern, err);
		pass.filter = code ? NULL : &filter;
	}
	if (!code)
		code = copy_samples(&pass, profile, made);
	if (pass.filter)
		filter__fini(pass.filter);
	free(pass.frames);
	if (code) {
		profile__free(made);
		return code;
	}
	*out = made;
	return 0;
}
