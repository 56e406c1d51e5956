/* SPDX-License-Identifier: GPL-2.0-only */
/* The reading side of one perf ring buffer. */
#ifndef TOPSTACKS_CAPTURE_RING_H
#define TOPSTACKS_CAPTURE_RING_H

#include <stddef.h>
#include <stdint.h>

struct perf_event_header;

struct ring {
	int fd; /* borrowed */
	void *pages;
	size_t data_bytes; /* a power of two */
};

/* Maps the ring of a perf event. 0 or negative errno. */
int ring__map(struct ring *ring, int fd, size_t data_bytes);
void ring__unmap(struct ring *ring);

/*
 * Gives every waiting record to visit, whole (size is checked) and aligned to 8 bytes, then frees
 * its room. Ends early with visit's negative errno. *was_full: records may have been dropped.
 */
int ring__read(struct ring *ring, int (*visit)(void *context, const struct perf_event_header *),
	       void *context, int *was_full);

#endif
