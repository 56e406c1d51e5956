/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output that never blocks its caller: a thread writes one buffer at a time, however slowly the
 * other side reads. A caller that finds it busy keeps the next buffer for later, or merges it.
 */
#ifndef TOPSTACKS_BASE_OUTPUT_WRITER_H
#define TOPSTACKS_BASE_OUTPUT_WRITER_H

#include "base/common.h"

struct writer;

/* fd is borrowed. 0, or the negative errno of starting the thread. */
int writer__new(struct writer **out, int fd);

/* Waits for the buffer under way, and ends the thread. NULL is fine. */
void writer__free(struct writer *writer);

/* Whether a buffer is still being written. */
bool writer__is_busy(struct writer *writer);

/*
 * Takes over text (freed when written), after waiting for the one before. Returns 0, or the
 * negative errno of an earlier failed write, like writer__wait().
 */
int writer__write(struct writer *writer, char *text, size_t nr_bytes);

/* Waits until all is written. 0, or the negative errno of the first write that failed. */
int writer__wait(struct writer *writer);

#endif
