// SPDX-License-Identifier: GPL-2.0-only
#include "actions/copies.h"

#include <errno.h>
#include <stdlib.h>

int copies__make(const struct recording *list,
		 struct profile *(*change)(void *context, const struct profile *profile),
		 void *context, struct recording **copies)
{
	*copies = NULL;
	for (; list; list = list->more) {
		struct recording *copy = malloc(sizeof(*copy));

		if (!copy)
			return -ENOMEM;
		*copy = *list;
		copy->more = NULL;
		copy->profile = change(context, list->profile);
		*copies = copy;
		copies = &copy->more;
		if (!copy->profile)
			return -ENOMEM;
	}
	return 0;
}

void copies__free(struct recording *copies)
{
	struct recording *next;

	for (; copies; copies = next) {
		next = copies->more;
		profile__free(copies->profile);
		free(copies);
	}
}
