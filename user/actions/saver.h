/* SPDX-License-Identifier: GPL-2.0-only */
/* Adds intervals of a run up, and writes them to a file. */
#ifndef TOPSTACKS_ACTIONS_SAVER_H
#define TOPSTACKS_ACTIONS_SAVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "profile/recording.h"

struct lines;
struct rotation;

struct saver {
	struct recording recording; /* what was added since it began */
	uint64_t slice_ns;	    /* not 0: every interval is kept as a slice too */
	bool by_slice;		    /* or its samples tell slices of that length themselves */
	bool is_quiet;		    /* does not say what has no source lines */
	bool command_lines;	    /* of processes are written: they may hold passwords */
	gid_t readers;		    /* a group that may read new files, too; 0: none */
	struct lines *lines;	    /* borrowed; NULL: files have no source lines */
	const struct line_options *line_options; /* borrowed */
};

/* The saver is zeroed, but for slice_ns, is_quiet, command_lines, lines and line_options. 0 or -ENOMEM with err filled. */
int saver__open(struct saver *saver, struct error *err);

int saver__add(struct saver *saver, const struct recording *interval, struct error *err);

/*
 * Writes all that was added, as pprof profile; "-" is standard output. A file appears under its
 * name when it is whole, or not at all. soon: sampling goes on, and source lines that take long wait
 * for the next file.
 */
int saver__write(struct saver *saver, const char *path, bool soon, struct error *err);

/*
 * Writes the next file of a directory, forgets what was added, and removes all but the newest nr_kept files.
 * *nr_later as rotation__remove_old has it. 0, or negative errno: if nothing was written, nothing is forgotten.
 */
int saver__rotate(struct saver *saver, const struct rotation *rotation, unsigned int nr_kept,
		  size_t *nr_later, struct error *err);

/* The facts of this machine, and of who samples. 0 or -ENOMEM. */
int saver__describe(struct recording *recording);

/* A saver that was zeroed only is fine. */
void saver__close(struct saver *saver);

#endif
