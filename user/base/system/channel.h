/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages between our own processes: bytes, and descriptors of files. */
#ifndef TOPSTACKS_BASE_SYSTEM_CHANNEL_H
#define TOPSTACKS_BASE_SYSTEM_CHANNEL_H

#include <sys/types.h>

#include "base/common.h"

#define CHANNEL_MAX_FILES 80

/* Creates a pair of connected ends, closed on exec. 0 or negative errno. */
int channel__open(int ends[2]);

/*
 * Sends a message; the caller keeps bytes and files. waits: blocks while the queue is full. 0 or
 * negative errno: -EPIPE: the other end is closed; -EAGAIN: the queue is full.
 */
int channel__send(int channel, bool waits, const void *bytes, size_t nr_bytes, const int *files,
		  size_t nr_files);

/*
 * Receives a message. waits: blocks until there is one. Returns its length; -EMSGSIZE: it is longer
 * than nr_bytes, or has more than *nr_files files; -EMFILE: our descriptors ran out: bytes is
 * filled, but *nr_files tells how many files came; -EAGAIN: no message; -EPIPE: the other end is
 * closed. The caller owns the *nr_files files, which are closed on exec.
 */
ssize_t channel__receive(int channel, bool waits, void *bytes, size_t nr_bytes, int *files,
			 size_t *nr_files);

#endif
