/* SPDX-License-Identifier: GPL-2.0-only */
/* What an opener is asked, and what it answers (base/system/channel.h carries both). */
#ifndef TOPSTACKS_PROCESSES_OPENER_MESSAGES_H
#define TOPSTACKS_PROCESSES_OPENER_MESSAGES_H

#include <limits.h>
#include <stdint.h>

#include "processes/procfs.h"

/* Files that go with it: the root; of a mapping, the process's own if has_own_root, then others. */
struct opening_request {
	uint64_t ticket;
	uint64_t start_ticks, start, end, inode;
	int32_t pid;
	uint32_t major, minor;
	uint8_t kind; /* enum opening_kind */
	uint8_t has_own_root;
	uint8_t asks_who;    /* the process is */
	char path[PATH_MAX]; /* as much of it as there is, with its zero */
};

/* A file goes with code 0. */
struct opening_reply {
	uint64_t ticket;
	uint64_t cpu_ns;      /* of the process so far */
	struct living living; /* if asks_who */
	int32_t code;	      /* -EINPROGRESS: the mapped file was found, and is being opened */
};

struct opener;

/* How opening a path ended; whether that is to be told is found out. */
void opener__note(struct opener *opener, const char *path, int code);

/* Answers one after the other until nobody asks any more. 0 or negative errno. */
int opener__serve(int channel);

#endif
