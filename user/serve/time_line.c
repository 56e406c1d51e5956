// SPDX-License-Identifier: GPL-2.0-only
#include "serve/time_line.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "serve/messages.h"

static uint64_t weight_of(const struct slice *slice, uint32_t uid)
{
	if (uid == SERVE_NO_UID)
		return slice->weight;
	for (size_t i = 0; i < slice->nr_owners; i++)
		if (slice->owners[i].uid == uid)
			return slice->owners[i].weight;
	return 0;
}

int time_line__make(struct store *store, uint32_t uid, const struct recording *shown,
		    struct flame_time_line *line, struct flame_slice **slices)
{
	const struct span always = {0, INT64_MAX / 4, false};
	struct slices held;
	int code = store__hold(store, &always, &held);

	*slices = code ? NULL : calloc(held.nr + 1, sizeof(**slices));
	for (size_t i = 0; *slices && i < held.nr; i++)
		(*slices)[i] = (struct flame_slice){
			.start_ns = held.list[i]->start_realtime_ns,
			.duration_ns = held.list[i]->end_ns - held.list[i]->start_ns,
			.value = weight_of(held.list[i], uid),
		};
	*line = (struct flame_time_line){
		.slices = *slices,
		.nr_slices = *slices ? held.nr : 0,
		.metric = &profile__metrics(shown->profile)->of[VALUE_WEIGHT],
		.shown_ns = shown->start_realtime_ns,
		.shown_duration_ns = shown->duration_ns,
	};
	if (!code)
		store__let_go(store, &held);
	return *slices ? 0 : -ENOMEM;
}
