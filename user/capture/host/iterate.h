/* SPDX-License-Identifier: GPL-2.0-only */
/* Running a BPF iterator and taking its records one by one. */
#ifndef TOPSTACKS_CAPTURE_HOST_ITERATE_H
#define TOPSTACKS_CAPTURE_HOST_ITERATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct bpf_link;
struct bpf_program;

/* An iterator over tasks. NULL and errno on failure. */
struct bpf_link *iterate__link(const struct bpf_program *program);

/*
 * An iterator over a single task, by the number of the thread. Linux before 6.1 (f0d74c4da1f0) does
 * not know of it and shows all tasks. NULL and errno on failure.
 */
struct bpf_link *iterate__link_thread(const struct bpf_program *program, int32_t tid);

/*
 * Runs the iterator once; visit gets each record of record_bytes, a multiple of 8 and at most a few hundred, aligned for
 * 64-bit words, and ends the pass by returning a negative errno. Returns 0 or negative errno; -EPROTO: the last record is not
 * whole.
 */
int iterate__run(const struct bpf_link *link, size_t record_bytes,
		 int (*visit)(void *context, const void *record), void *context);

/* For what it does, not for what it tells. */
int iterate__pass(const struct bpf_link *link);

/* Of an iterator that failed with code, negative errno, which it returns: "cannot run the BPF iterator NAME over tasks: why". */
int iterate__explain(const struct bpf_program *program, int code, struct error *err);

#endif
