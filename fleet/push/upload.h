/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of the spool, ready to be sent: its samples under names, and nothing else of what it knows. They
 * are items in an order that the file and the names decide, so that a part is a range of them, and the
 * same range of the same file has the same ID whenever it is sent.
 */
#ifndef TOPSTACKS_PUSH_UPLOAD_H
#define TOPSTACKS_PUSH_UPLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/recording.h"
#include "push/series.h"

/* In the order of event, series and stack. */
struct cargo_item {
	uint32_t event, series;
	struct sample sample; /* process: one that stands for the series */
};

struct push_cargo {
	uint64_t id[2]; /* of the file's content */
	struct recording recording;
	struct push_series *series; /* the last one is "other" */
	size_t nr_series;
	uint32_t *processes; /* that stand for the series, in the dictionary */
	struct cargo_item *items;
	size_t nr_items, capacity;
	uint64_t nr_samples; /* counts of all items */
};

/*
 * Makes one of a file's bytes. table: names that were used before; with may_add those that are new get in
 * as long as there is room, those with most samples first. 0; -EINVAL or -EFBIG: it is damaged; or -ENOMEM.
 * cargo__clear in any case.
 */
int cargo__load(struct push_cargo *cargo, const char *bytes, size_t nr_bytes,
		struct series_table *table, bool may_add);
void cargo__clear(struct push_cargo *cargo);

/* Samples in a range of items, and how many of them are under the name "other". */
uint64_t cargo__count(const struct push_cargo *cargo, size_t from, size_t to);
uint64_t cargo__count_other(const struct push_cargo *cargo, size_t from, size_t to);

/* Where the event or the series of the item changes, at the latest at to. */
size_t cargo__end_of_series(const struct push_cargo *cargo, size_t from, size_t to);
size_t cargo__end_of_event(const struct push_cargo *cargo, size_t from, size_t to);

/*
 * A recording of items of one event, in the dictionary of all: profile__free its profile, and nothing else.
 * 0 or -ENOMEM.
 */
int cargo__part(const struct push_cargo *cargo, size_t from, size_t to, struct recording *part);

/* The series that a process of a part stands for. */
const struct push_series *cargo__series_of(const struct push_cargo *cargo,
					   const struct process *process);

/* "cpu-clock" */
const char *cargo__event(const struct push_cargo *cargo, size_t item);

/* The part's ID as a UUID, of 36 characters: of the file and the range, hence the same on each try. */
void cargo__identify(const struct push_cargo *cargo, size_t from, size_t to, char id[37]);

#endif
