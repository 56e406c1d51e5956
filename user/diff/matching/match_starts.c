// SPDX-License-Identifier: GPL-2.0-only
#include "diff/matching/match_starts.h"

struct start_module {
	const char *build_id;	    /* the dictionary's */
	bool differs;		    /* between runs, or a frame has none */
	size_t run;		    /* last run with it, from 1 on */
	bool is_known, was_unknown; /* starts known in this run; unknown in an earlier one */
};

/* The module of a frame without a name; NULL: out of memory. */
static struct start_module *module_of(struct match_starts *starts, const struct frame *frame)
{
	const size_t nr = starts->names.nr_items;
	uint32_t id;

	if (array__reserve(&starts->modules, &starts->capacity, nr + 1))
		return NULL;
	id = pool__number(&starts->names, frame->module, strlen(frame->module) + 1);
	if (id == ID_NONE)
		return NULL;
	if (id == nr)
		starts->modules[id] = (struct start_module){.build_id = frame->build_id};
	return &starts->modules[id];
}

static void note(struct start_module *module, const struct frame *frame, size_t run)
{
	if (module->run != run) {
		module->was_unknown |= module->run && !module->is_known;
		module->is_known = false;
		module->run = run;
	}
	module->is_known |= frame->has_start;
	module->differs |= !frame->build_id || !module->build_id ||
			   strcmp(frame->build_id, module->build_id) != 0;
}

int match_starts__look_at(struct match_starts *starts, const struct dictionary *dictionary)
{
	const size_t nr_frames = dictionary__nr_frames(dictionary);

	starts->nr_looked_at++;
	for (size_t i = 0; i < nr_frames; i++) {
		const struct frame *frame = dictionary__frame(dictionary, (uint32_t)i);
		struct start_module *module;

		if (frame->function || !frame->module || frame->kind != FRAME_USER)
			continue;
		module = module_of(starts, frame);
		if (!module)
			return -ENOMEM;
		note(module, frame, starts->nr_looked_at);
	}
	return 0;
}

bool match_starts__hold(struct match_starts *starts, const struct frame *frame)
{
	const struct start_module *module = frame->has_start ? module_of(starts, frame) : NULL;

	return module && !module->differs && module->is_known && !module->was_unknown;
}

void match_starts__fini(struct match_starts *starts)
{
	pool__clear(&starts->names);
	free(starts->modules);
}
