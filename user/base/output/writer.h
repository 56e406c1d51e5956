/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output that never holds up its caller: a thread of its own writes one buffer at a time, however
 * slowly the other side reads. Whoever finds it busy waits with the next buffer, or merges.
 */
#ifndef TOPSTACKS_BASE_OUTPUT_WRITER_H
#define TOPSTACKS_BASE_OUTPUT_WRITER_H

#include <stdbool.h>
#include <stddef.h>

struct writer;

/* fd is borrowed. 0 or negative errno: -ENOMEM, or that of the thread. */
int writer__new(struct writer **out, int fd);

/* Waits for what is under way, ends the thread. NULL is fine. */
void writer__free(struct writer *writer);

/* A buffer is still being written. */
bool writer__is_busy(struct writer *writer);

/*
 * Takes over text (free()d when written), waiting for the one before. Returns the negative errno of
 * an earlier write that failed, as writer__wait does, or 0.
 */
int writer__write(struct writer *writer, char *text, size_t nr_bytes);

/* Waits until all is written. 0, or the negative errno of the first write that failed. */
int writer__wait(struct writer *writer);

#endif
