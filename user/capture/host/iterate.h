/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs BPF iterators and reads their records. */
#ifndef TOPSTACKS_CAPTURE_HOST_ITERATE_H
#define TOPSTACKS_CAPTURE_HOST_ITERATE_H

#include "base/common.h"

struct bpf_link;
struct bpf_program;

/* Creates an iterator over all tasks. NULL and errno on failure. */
struct bpf_link *iterate__link(const struct bpf_program *program);

/*
 * Creates an iterator over a single task, by thread id. Linux before 6.1 (f0d74c4da1f0) ignores the
 * id and shows all tasks. NULL and errno on failure.
 */
struct bpf_link *iterate__link_thread(const struct bpf_program *program, int32_t tid);

/*
 * Runs the iterator once. visit gets each record, aligned for 64-bit words; a negative errno from
 * visit ends the pass. record_bytes is a multiple of 8, at most a few hundred. Returns 0 or
 * negative errno; -EPROTO: the last record is incomplete.
 */
int iterate__run(const struct bpf_link *link, size_t record_bytes,
		 int (*visit)(void *context, const void *record), void *context);

/* Runs the iterator for its side effects; records are thrown away. Returns 0 or negative errno. */
int iterate__pass(const struct bpf_link *link);

/*
 * Explains the failure of an iterator: "cannot run the BPF iterator NAME over tasks: why". Returns
 * code, a negative errno.
 */
int iterate__explain(const struct bpf_program *program, int code, struct error *err);

#endif
