/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of recordings, one for each period, of which the newest are kept.
 *
 * topstacks-20260131T123456.789Z-00000042.pb.gz
 *
 * Files are recognized by their names alone; other files are left alone. The time is the begin of
 * the period, so the order of names is that of time. The number is one more than the highest one in
 * the directory. It never starts again, because the newest file is never removed: a program that
 * sends the files elsewhere sees from a gap how many it missed. Older versions wrote names without
 * a number.
 *
 * The program that sends the files runs as another user. So the group "topstacks" may read the
 * files if it exists and the directory belongs to it and to no other group (mode 0750); otherwise
 * only the owner may.
 */
#ifndef TOPSTACKS_ACTIONS_ROTATION_H
#define TOPSTACKS_ACTIONS_ROTATION_H

#include <sys/types.h>

#include "base/common.h"

struct rotation {
	const char *directory; /* borrowed */
	gid_t group;	       /* "topstacks"; 0: no such group */
};

/* The file to write next. */
struct rotation_file {
	char *path;
	gid_t readers; /* group with read access; 0: only the owner */
	int lock;      /* locks the number against other instances */
};

/*
 * Creates the directory with this mode if it does not exist, and removes unfinished files of killed
 * runs. Looks the group up, which opens files and perhaps sockets: only here. 0, or negative errno
 * with err filled.
 */
int rotation__prepare(struct rotation *rotation, const char *directory, mode_t mode,
		      struct error *err);

/*
 * Prepares the file of a period that began at start_realtime_ns. 0, or negative errno with err
 * filled; call rotation__end() also then.
 */
int rotation__next(const struct rotation *rotation, struct rotation_file *file,
		   int64_t start_realtime_ns, struct error *err);

/* Call it when the file is written, or could not be: frees the path and the lock. */
void rotation__end(struct rotation_file *file);

/*
 * Removes all but the newest nr_kept (1 or more) files. written: path of the file just written.
 * *nr_later: number of files dated later than it, by a wrong clock or by another user; they neither
 * count nor are removed, as they must not push out new files. 0, or negative errno with err filled.
 */
int rotation__remove_old(const struct rotation *rotation, const char *written, unsigned int nr_kept,
			 size_t *nr_later, struct error *err);

/* Whether name is that of a finished file. *number: its number; 0: it has none. */
bool rotation__is_name(const char *name, uint64_t *number);

#endif
