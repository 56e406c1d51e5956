/* SPDX-License-Identifier: GPL-2.0-only */
/* The directory that files are sent from, of which nothing is ever changed: which are there, in which order. */
#ifndef TOPSTACKS_PUSH_SPOOL_H
#define TOPSTACKS_PUSH_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "push/state.h"

struct spool_entry {
	char *name;
	uint64_t number; /* 0: of an older version, which wrote none */
};

struct push_spool {
	const char *directory; /* borrowed */
	struct spool_entry *entries;
	size_t nr_entries, capacity;
};

/*
 * Lists what is not done yet, oldest first: by number, since clocks move; those without one before the
 * others, by name. Where numbers began again, as the directory was emptied, what is there is new:
 * state->number becomes lower. The file that is under way is listed, too. 0, or negative errno with err.
 */
int spool__list(struct push_spool *spool, struct push_state *state, struct error *err);
void spool__clear(struct push_spool *spool);

/* All bytes of a file; free() *bytes. 0 or negative errno. */
int spool__read(const struct push_spool *spool, const char *name, char **bytes, size_t *nr_bytes);

#endif
