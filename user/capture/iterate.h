/* SPDX-License-Identifier: GPL-2.0-only */
/* Running a BPF iterator and taking its records one by one. */
#ifndef TOPSTACKS_CAPTURE_ITERATE_H
#define TOPSTACKS_CAPTURE_ITERATE_H

#include <stddef.h>
#include <stdint.h>

struct bpf_link;
struct bpf_program;

/* An iterator over the elements of a map, or over tasks if map is -1. NULL and errno on failure. */
struct bpf_link *iterate__link(const struct bpf_program *program, int map);

/*
 * An iterator over a single task, by the number of the thread. Linux before 6.1 (f0d74c4da1f0) does
 * not know of it and shows all tasks. NULL and errno on failure.
 */
struct bpf_link *iterate__link_thread(const struct bpf_program *program, int32_t tid);

/* How large a record is, of which the first least_bytes are there; a multiple of 8. */
struct record_size {
	size_t least_bytes;
	size_t (*all_bytes)(const void *record); /* NULL: all are of least_bytes */
};

/*
 * Runs the iterator once; visit gets each record, aligned for 64-bit words, and ends the pass by
 * returning a negative errno. Returns 0 or negative errno; -EPROTO: a record is larger than any can
 * be, or the last one is not whole.
 */
int iterate__run(const struct bpf_link *link, const struct record_size *size,
		 int (*visit)(void *context, const void *record), void *context);

/* For what it does, not for what it tells. */
int iterate__pass(const struct bpf_link *link);

#endif
