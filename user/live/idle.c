// SPDX-License-Identifier: GPL-2.0-only
#include "live/idle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "profile/select/idle_waits.h"

/* Who asks for some waits alone wants to see them. */
static bool is_parted(const struct selection *selection)
{
	return selection->view == VIEW_STACKS && !*selection->states && !*selection->kinds;
}

/* A decayed sum is of no duration that its waits could fill. */
static int part(const struct live *live, const struct kept *kept, const struct profile *profile,
		struct profile **idle, struct profile **others)
{
	const bool is_decayed = live__unit_of(live, kept) > 1;

	*idle = *others = NULL;
	if (!is_parted(&live->selection))
		return 0;
	return profile__part_idle_waits(profile, is_decayed ? 0 : kept->recording.duration_ns, idle,
					others);
}

int idle__part(struct live *live)
{
	const int code = part(live, live->picture, live->profile, &live->idle, &live->others);

	if (live->shows_idle) {
		profile__free(live->others);
		live->others = NULL;
	}
	return code;
}

int idle__leave_out(const struct live *live, const struct kept *kept, struct profile **made)
{
	struct profile *idle, *others;
	int code;

	if (live->shows_idle)
		return 0;
	code = part(live, kept, *made ? *made : kept->recording.profile, &idle, &others);
	profile__free(idle);
	if (!others)
		return code;
	profile__free(*made);
	*made = others;
	return 0;
}

int idle__add_row(struct live *live)
{
	struct live_row row = {.id = ROW_ID_IDLE,
			       .name = "waiting for work",
			       .has_children = true,
			       .is_folded = !live->shows_idle};
	struct live_row *stacks;
	long nr_stacks;

	if (!live->idle)
		return 0;
	nr_stacks = rows__make(&live->selection, &live->ids, live->idle, &stacks);
	if (nr_stacks < 0)
		return (int)nr_stacks;
	free(stacks);
	if (array__reserve(&live->rows, &live->rows_capacity, live->nr_rows + 1))
		return -ENOMEM;
	row.nr_folded = (size_t)nr_stacks;
	row.self = row.total = profile__shown_total(live->idle);
	row.self_squares = row.total_squares = profile__squares(live->idle);
	memmove(live->rows + 1, live->rows, live->nr_rows * sizeof(*live->rows));
	live->rows[0] = row;
	live->nr_rows++;
	return 0;
}
