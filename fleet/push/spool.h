/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists the directory that files are sent from, in their order; it is never changed. */
#ifndef TOPSTACKS_PUSH_SPOOL_H
#define TOPSTACKS_PUSH_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "push/state.h"

struct spool_entry {
	char *name;
	uint64_t number; /* 0: none, from an older version */
};

struct push_spool {
	const char *directory; /* borrowed */
	struct spool_entry *entries;
	size_t nr_entries, capacity;
};

/*
 * Lists the files that are not done, oldest first: by number, since clocks change; files without a
 * number come first, by name. If numbers began again because the directory was emptied, all files
 * are new, and state->number is lowered. The file under way is listed, too. 0, or negative errno
 * with err filled.
 */
int spool__list(struct push_spool *spool, struct push_state *state, struct error *err);
void spool__clear(struct push_spool *spool);

/* Reads a whole file; free() *bytes. 0 or negative errno. */
int spool__read(const struct push_spool *spool, const char *name, char **bytes, size_t *nr_bytes);

#endif
