/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups stacks by owner: program name, process or thread; the owner with most samples first. */
#ifndef TOPSTACKS_FORMATS_OWNERS_H
#define TOPSTACKS_FORMATS_OWNERS_H

#include "base/common.h"
#include "profile/recording.h"

/* A stack in one state, or in several states that are drawn alike. */
struct owned_row {
	struct row row;
	enum wait_state state; /* the state that names their style */
};

struct owners {
	const struct recording *recording;
	enum merge merge;
	struct owned_row *rows; /* sorted by owner, then hottest first */
	size_t nr_rows, capacity;
	struct owner {
		size_t first, end; /* range of rows */
		uint64_t total;
	} * owners;
	size_t nr_owners;
};

void owners__init(struct owners *owners, const struct recording *recording, enum merge merge);
void owners__fini(struct owners *owners);

const struct owned_row *owners__rows(const struct owners *owners, size_t index, size_t *nr_rows);

/*
 * Writes "redis-server", "redis-server (4711)" or "redis-server (4711/4712)"; values other than
 * samples are added: "press, made in widgets". Returns name.
 */
#define OWNER_NAME_SIZE 160
const char *owners__name(const struct owners *owners, size_t index, char *name);

#endif
