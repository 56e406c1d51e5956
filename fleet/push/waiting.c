// SPDX-License-Identifier: GPL-2.0-only
#include "push/waiting.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "push/spool.h"
#include "push/upload.h"

#define LOOKING_NS UINT64_C(20000000000)

static uint64_t samples_in(const struct push_spool *spool, const char *name)
{
	struct series_table none = {0};
	struct push_upload upload = {0};
	char *bytes = NULL;
	size_t nr_bytes;
	uint64_t nr = 0;

	if (!spool__read(spool, name, &bytes, &nr_bytes) &&
	    !upload__load(&upload, bytes, nr_bytes, &none, false))
		nr = upload.nr_samples;
	upload__clear(&upload);
	free(bytes);
	return nr;
}

void waiting__count(struct push_waiting *waiting, const char *directory,
		    const struct push_state *state, bool looks)
{
	struct push_spool spool = {.directory = directory};
	struct push_state as_if = *state;
	const uint64_t end_ns = monotonic_ns() + LOOKING_NS;

	*waiting = (struct push_waiting){0};
	if (spool__list(&spool, &as_if, NULL))
		return;
	for (size_t i = 0; i < spool.nr_entries; i++) {
		if (!strcmp(spool.entries[i].name, state->file))
			continue;
		waiting->nr_files++;
		if (!looks || monotonic_ns() > end_ns)
			waiting->nr_uncounted++;
		else
			waiting->nr_samples += samples_in(&spool, spool.entries[i].name);
	}
	spool__clear(&spool);
}
