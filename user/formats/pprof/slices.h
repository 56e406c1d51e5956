/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slices of time in a pprof file, where they are many: a sample has its whole values, and beside them,
 * in a field that other readers skip, what of them is of which slice. For each event that has some:
 *
 *	event	its number in the list
 *	nr	of slices, times 2; + 1: weights follow counts, instead of being in proportion to them
 *	slices	each: how many slices without it are before it, times 2; + 1: the count follows, which
 *		is 1 else; then perhaps the weight
 *
 * All are varints. The label "slice" says the same with a sample for each slice, which takes twice the
 * room in a file.
 */
#ifndef TOPSTACKS_FORMATS_PPROF_SLICES_H
#define TOPSTACKS_FORMATS_PPROF_SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/pprof/wire.h"
#include "profile/recording.h"

/* A sample's part of a slice. */
struct slice_part {
	uint32_t slice;
	uint64_t values[VALUES];
};

/* ---- writing ---- */

/* The parts of an event's samples, by the number of the sample. */
struct slice_parts {
	const struct recording *event;
	size_t *ends; /* of the parts of each sample */
	struct slice_part *parts;
};

/* 0 or -ENOMEM; fini either way. */
int slice_parts__init(struct slice_parts *parts, const struct recording *event);
void slice_parts__fini(struct slice_parts *parts);

/* Appends those of a sample, of the event of that number, to bytes. 0 or -ENOMEM. */
int slice_parts__pack(const struct slice_parts *parts, size_t number, const struct sample *sample,
		      uint8_t **bytes, size_t *nr_bytes, size_t *capacity);

/* ---- reading ---- */

/* An event's parts as they are taken apart. */
struct slice_reading {
	struct wire wire;
	uint64_t whole[VALUES]; /* of the sample; set by whoever reads */
	uint64_t taken[VALUES]; /* of it, by parts so far */
	uint64_t event, nr_left, next;
	bool has_weights;
};

/* *reading begins at the event that is next: 1, and whole is to be set; 0: there is none; -EINVAL. */
int slice_reading__begin(struct slice_reading *reading);

/* 1; 0: there is none more; -EINVAL: it is damaged, or more than the whole. */
int slice_reading__next(struct slice_reading *reading, struct slice_part *part);

#endif
