/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names that samples are sent under: service, command and container. Any user can invent names,
 * and each costs the server memory, so at most so many are used within an hour; the rest is called
 * "other". The table is kept beside the state, since a part that is sent again must have the same
 * names.
 */
#ifndef TOPSTACKS_PUSH_SERIES_H
#define TOPSTACKS_PUSH_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "processes/process.h"

#define SERIES_NAME_SIZE 128

/* Safe for terminals, and valid UTF-8; "": there is none. */
struct push_series {
	char service[SERIES_NAME_SIZE], comm[SERIES_NAME_SIZE], container[SERIES_NAME_SIZE];
};

struct known_series {
	struct push_series series;
	int64_t seen_s; /* CLOCK_REALTIME */
};

struct series_table {
	struct known_series *known;
	size_t nr, capacity;
	size_t most;
};

extern const struct push_series series__other;

void series__of(struct push_series *series, const struct process *process);
bool series__equal(const struct push_series *a, const struct push_series *b);
int series__compare(const struct push_series *a, const struct push_series *b);

/* Whether it may be used: it is known, or there is room for it. */
bool series_table__admit(struct series_table *table, const struct push_series *series);

/* Whether it is known. */
bool series_table__knows(const struct series_table *table, const struct push_series *series);

/* Forgets what was not seen within an hour, or after now, as clocks move. */
void series_table__forget_old(struct series_table *table, int64_t now_s);

/* 0, or negative errno with err; a table that is not there is empty. */
int series_table__read(struct series_table *table, const char *directory, struct error *err);
int series_table__write(const struct series_table *table, const char *directory, struct error *err);
void series_table__clear(struct series_table *table);

#endif
