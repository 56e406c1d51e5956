/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages between our own processes: bytes, and files that go with them. */
#ifndef TOPSTACKS_BASE_SYSTEM_CHANNEL_H
#define TOPSTACKS_BASE_SYSTEM_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define CHANNEL_MAX_FILES 80

/* Two ends of one, closed on exec. 0 or negative errno. */
int channel__open(int ends[2]);

/*
 * Both are kept by the caller. 0 or negative errno: -EPIPE: nobody is at the other end; -EAGAIN: there
 * is no room until somebody there reads, unless it waits for that.
 */
int channel__send(int channel, bool waits, const void *bytes, size_t nr_bytes, const int *files,
		  size_t nr_files);

/*
 * How long the message is, at most nr_bytes; what is longer, or brings more files than *nr_files, is
 * -EMSGSIZE; -EMFILE: there was no descriptor left for a file of it, but for *nr_files of them, and
 * the bytes are there. The files, *nr_files of them, become the caller's, closed on exec. -EAGAIN: there is none yet, unless it waits; -EPIPE: there
 * will be none.
 */
ssize_t channel__receive(int channel, bool waits, void *bytes, size_t nr_bytes, int *files,
			 size_t *nr_files);

#endif
