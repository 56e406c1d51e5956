/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of recordings, one for each period, of which the newest are kept.
 *
 *	topstacks-20260131T123456.789Z-00000042.pb.gz
 *
 * Files are known by their names alone; others are left alone. The time is that of the period's
 * beginning, so that the order of names is that of time. The number is one more than the highest that
 * is there, and never begins again, as the newest file is never removed: whoever sends the files
 * elsewhere sees by it how many went before he came. Older versions wrote names without a number.
 *
 * Whoever sends them is another user. So files may be read by the group "topstacks" where it exists and
 * the directory is that group's and nobody else's (mode 0750); elsewhere by their owner alone.
 */
#ifndef TOPSTACKS_ACTIONS_ROTATION_H
#define TOPSTACKS_ACTIONS_ROTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct rotation {
	const char *directory; /* borrowed */
	gid_t group;	       /* "topstacks"; 0: there is none */
};

/* The file that is to be written next. */
struct rotation_file {
	char *path;
	gid_t readers; /* the group that may read it; 0: its owner alone */
	int lock;      /* on the number, which no other instance takes meanwhile */
};

/*
 * Makes the directory, with this mode, if it is not there, and removes what a run that was killed left unfinished. Asks
 * the machine for the group, which takes files and perhaps sockets: nothing else here does. 0, or
 * negative errno with err.
 */
int rotation__prepare(struct rotation *rotation, const char *directory, mode_t mode,
		      struct error *err);

/* The file of a period that began so. 0, or negative errno with err; rotation__end it, also then. */
int rotation__next(const struct rotation *rotation, struct rotation_file *file,
		   int64_t start_realtime_ns, struct error *err);

/* The file is written, or could not be. */
void rotation__end(struct rotation_file *file);

/*
 * Removes all but the newest nr_kept (1 or more) files. written: the path of the one that was just
 * written. *nr_later: how many are dated later than that one, by a clock that was wrong or by somebody
 * else; they neither count nor go, as they must not push out what is new. 0, or negative errno with err.
 */
int rotation__remove_old(const struct rotation *rotation, const char *written, unsigned int nr_kept,
			 size_t *nr_later, struct error *err);

/* Whether a finished file has one of these names. *number: its number; 0: it has none. */
bool rotation__is_name(const char *name, uint64_t *number);

#endif
