// SPDX-License-Identifier: GPL-2.0-only
#include "run/dropping.h"

#include <stdio.h>

#include "base/sums.h"

void dropping__tell(const struct dropped *dropped, uint64_t all)
{
	fprintf(stderr, "topstacks: --drop left frames out of %.1f %% of all stacks",
		share_percent(dropped->shortened, all));
	if (dropped->emptied)
		fprintf(stderr, "; %.1f %% had no others, and are " FRAME_DROPPED,
			share_percent(dropped->emptied, all));
	fputc('\n', stderr);
}

int dropping__apply(struct recording *recording, const char *pattern, struct error *err)
{
	struct dropped dropped = {0};
	const int code = recording__drop(recording, pattern, &dropped, err);

	if (!code)
		dropping__tell(&dropped, profile__shown_total(recording->profile));
	return code;
}
