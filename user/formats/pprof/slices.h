/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packed slices of time in a pprof file. A sample has its whole values; a field that other readers
 * skip says how much of them is in which slice. For each event with slices:
 *
 *	event	its number in the list
 *	nr	number of slices, times 2; + 1: weights follow counts, else they are in proportion
 *	slices	each: number of skipped slices, times 2; + 1: the count follows, else it is 1;
 *		then perhaps the weight
 *
 * All are varints. The label "slice" says the same with a sample for each slice, which takes twice
 * the room in a file.
 */
#ifndef TOPSTACKS_FORMATS_PPROF_SLICES_H
#define TOPSTACKS_FORMATS_PPROF_SLICES_H

#include "base/common.h"
#include "formats/pprof/wire.h"
#include "profile/recording.h"

/* The part of a sample that is in one slice. */
struct slice_part {
	uint32_t slice;
	uint64_t values[VALUES];
};

/* ---- writing ---- */

/* All parts of an event, grouped by sample. */
struct slice_parts {
	const struct recording *event;
	size_t *ends; /* by sample: the end of its parts */
	struct slice_part *parts;
};

void slice_parts__init(struct slice_parts *parts, const struct recording *event);
void slice_parts__fini(struct slice_parts *parts);

/* Appends the parts of a sample to bytes; number: of the event. */
void slice_parts__pack(const struct slice_parts *parts, size_t number, const struct sample *sample,
		       uint8_t **bytes, size_t *nr_bytes, size_t *capacity);

/* ---- reading ---- */

/* A reader of one event's parts after another. */
struct slice_reading {
	struct wire wire;
	uint64_t whole[VALUES]; /* the sample's values; set by the caller */
	uint64_t taken[VALUES]; /* sum of the parts so far */
	uint64_t event, nr_left, next;
	bool has_weights;
};

/* Begins with the next event. 1: the caller must set whole; 0: no more events; -EINVAL. */
int slice_reading__begin(struct slice_reading *reading);

/* Reads the next part. 1; 0: no more; -EINVAL: damaged, or the parts exceed the whole. */
int slice_reading__next(struct slice_reading *reading, struct slice_part *part);

#endif
