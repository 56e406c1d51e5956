/* SPDX-License-Identifier: GPL-2.0-only */
/* Stacks by whose they are: program names, processes or threads, the one with most first. */
#ifndef TOPSTACKS_FORMATS_OWNERS_H
#define TOPSTACKS_FORMATS_OWNERS_H

#include <stddef.h>
#include <stdint.h>

#include "profile/recording.h"

/* A stack in one state. */
struct owned_row {
	struct row row;
	enum wait_state state; /* of those that look alike, the one of their style */
};

struct owners {
	const struct recording *recording;
	enum merge merge;
	struct owned_row *rows; /* those of one owner follow each other, hottest first */
	size_t nr_rows, capacity;
	struct owner {
		size_t first, end; /* rows */
		uint64_t total;
	} * owners;
	size_t nr_owners;
};

/* 0 or -ENOMEM. */
int owners__init(struct owners *owners, const struct recording *recording, enum merge merge);
void owners__fini(struct owners *owners);

const struct owned_row *owners__rows(const struct owners *owners, size_t index, size_t *nr_rows);

/*
 * "redis-server", "redis-server (4711)", "redis-server (4711/4712)"; "press, made in widgets" where
 * values are not samples. Returns name.
 */
#define OWNER_NAME_SIZE 160
const char *owners__name(const struct owners *owners, size_t index, char *name);

#endif
