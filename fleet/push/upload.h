/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of the spool, ready to be sent: only its samples, with the labels of their series. They
 * are items in an order that depends only on the file and the series. So a part is a range of
 * items, and the same range of the same file always has the same ID.
 */
#ifndef TOPSTACKS_PUSH_UPLOAD_H
#define TOPSTACKS_PUSH_UPLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/recording.h"
#include "push/series.h"

/* Sorted by event, series and stack. */
struct upload_item {
	uint32_t event, series;
	struct sample sample; /* process: the one that stands for the series */
};

struct push_upload {
	uint64_t id[2]; /* hash of the file's content */
	struct recording recording;
	struct push_series *series; /* the last one is "other" */
	size_t nr_series;
	uint32_t *processes; /* one for each series, in the dictionary */
	struct upload_item *items;
	size_t nr_items, capacity;
	uint64_t nr_samples; /* sum of the counts of all items */
};

/*
 * Makes the items of a file's bytes. table: series used before; may_add: new ones are added while
 * there is room, those with most samples first. 0; -EINVAL or -EFBIG: the file is damaged; or
 * -ENOMEM. Call upload__clear() in any case.
 */
int upload__load(struct push_upload *upload, const char *bytes, size_t nr_bytes,
		 struct series_table *table, bool may_add);
void upload__clear(struct push_upload *upload);

/* The samples in a range of items, and those of them in the series "other". */
uint64_t upload__count(const struct push_upload *upload, size_t from, size_t to);
uint64_t upload__count_other(const struct push_upload *upload, size_t from, size_t to);

/* The first item with another event or series, at most `to`. */
size_t upload__end_of_series(const struct push_upload *upload, size_t from, size_t to);
size_t upload__end_of_event(const struct push_upload *upload, size_t from, size_t to);

/*
 * Makes a recording of items of one event, in the common dictionary; call profile__free() on its
 * profile only.
 */
void upload__part(const struct push_upload *upload, size_t from, size_t to, struct recording *part);

/* The series of a process of a part. */
const struct push_series *upload__series_of(const struct push_upload *upload,
					    const struct process *process);

/* The event's name: "cpu-clock". */
const char *upload__event(const struct push_upload *upload, size_t item);

/* The part's ID as a UUID of 36 characters, made from file and range: the same on each try. */
void upload__identify(const struct push_upload *upload, size_t from, size_t to, char id[37]);

#endif
