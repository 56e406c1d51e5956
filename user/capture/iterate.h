/* SPDX-License-Identifier: GPL-2.0-only */
/* Running a BPF iterator and taking its records one by one. */
#ifndef TOPSTACKS_CAPTURE_ITERATE_H
#define TOPSTACKS_CAPTURE_ITERATE_H

#include <stddef.h>

struct bpf_link;
struct bpf_program;

/* An iterator over the elements of a map, or over tasks if map is -1. NULL and errno on failure. */
struct bpf_link *iterate__link(const struct bpf_program *program, int map);

/*
 * Runs the iterator once; visit gets each record of record_bytes, aligned for 64-bit words, and
 * ends the pass by returning a negative errno. A pass without visit runs for its side effects.
 * Returns 0 or negative errno.
 */
int iterate__run(const struct bpf_link *link, size_t record_bytes,
		 int (*visit)(void *context, const void *record), void *context);

#endif
