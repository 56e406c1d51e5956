// SPDX-License-Identifier: GPL-2.0-only
#include "actions/joined_names.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "diff/matching/names.h"
#include "profile/pool.h"

/* Many frames are of one function: its name is made once. */
struct joining {
	struct compared_names names;
	struct pool functions; /* by their names, which the dictionary keeps */
	char **joined;
	size_t capacity;
	bool failed;
};

static const char *join_name(struct joining *joining, const char *function)
{
	const size_t nr = joining->functions.nr_items;
	uint32_t id;

	if (array__reserve(&joining->joined, &joining->capacity, nr + 1))
		return NULL;
	id = pool__number(&joining->functions, &function, sizeof(function));
	if (id == ID_NONE)
		return NULL;
	if (id == nr)
		joining->joined[id] = name_rule__apply_all(joining->names.rules,
							   joining->names.nr_rules, function);
	return joining->joined[id];
}

static long join_frame(void *context, const struct frame *frame, bool is_caller,
		       struct frame frames[MAX_EXPANSION])
{
	struct joining *joining = context;
	const char *name = frame->function ? join_name(joining, frame->function) : NULL;

	(void)is_caller;
	joining->failed |= frame->function && !name;
	if (!name || !name[0])
		return FRAME_STAYS;
	frames[0] = *frame;
	frames[0].function = name;
	return 1;
}

int joined_names__apply(struct recording *recording, struct error *err)
{
	struct joining joining = {0};
	const struct expander expander = {join_frame, &joining};
	int code = compared_names__init(&joining.names);

	if (!code)
		code = recording__expand(recording, &expander);
	for (size_t i = 0; i < joining.functions.nr_items; i++)
		free(joining.joined[i]);
	free(joining.joined);
	pool__clear(&joining.functions);
	compared_names__fini(&joining.names);
	return code || joining.failed ? error__no_memory(err) : 0;
}
