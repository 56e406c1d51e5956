/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages to and from openers (base/system/channel.h carries them). */
#ifndef TOPSTACKS_PROCESSES_OPENER_MESSAGES_H
#define TOPSTACKS_PROCESSES_OPENER_MESSAGES_H

#include <limits.h>

#include "base/common.h"
#include "processes/procfs.h"

/*
 * Carries these files: the root; for a mapping, the process's own root if has_own_root, then other
 * roots.
 */
struct opening_request {
	uint64_t ticket;
	uint64_t start_ticks, start, end, inode;
	int32_t pid;
	uint32_t major, minor;
	uint8_t kind; /* enum opening_kind */
	uint8_t has_own_root;
	uint8_t asks_who;    /* fill living in the reply */
	char path[PATH_MAX]; /* only its used part is sent, with its zero */
};

/* Carries the file if code is 0. */
struct opening_reply {
	uint64_t ticket;
	uint64_t cpu_ns;      /* of the opener so far */
	struct living living; /* if asks_who */
	int32_t code;	      /* -EINPROGRESS: the mapped file was found, and is being opened */
};

/* Answers questions until the channel is closed. 0 or negative errno. */
int opener__serve(int channel);

#endif
