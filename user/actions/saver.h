/* SPDX-License-Identifier: GPL-2.0-only */
/* The saver adds up intervals of a run, and writes them to a file. */
#ifndef TOPSTACKS_ACTIONS_SAVER_H
#define TOPSTACKS_ACTIONS_SAVER_H

#include <sys/types.h>

#include "base/common.h"
#include "profile/recording.h"

struct lines;
struct rotation;

struct saver {
	struct recording recording; /* sum of the intervals since it began */
	uint64_t slice_ns;	    /* not 0: keep each interval as a slice too */
	bool by_slice;		    /* or samples carry slices of that length themselves */
	bool shares_stacks;	    /* with the run, whose sum keeps all of them anyway */
	bool is_quiet;		    /* do not tell which files have no source lines */
	bool command_lines;	    /* write command lines of processes: they may hold passwords */
	gid_t readers;		    /* group with read access to new files; 0: none */
	struct lines *lines;	    /* borrowed; NULL: no source lines */
	const struct line_options *line_options; /* borrowed */
};

/*
 * Opens a saver. The caller sets slice_ns, by_slice, shares_stacks, is_quiet, command_lines, lines
 * and line_options, and zeroes the rest.
 */
void saver__open(struct saver *saver);

int saver__add(struct saver *saver, const struct recording *interval, struct error *err);

/*
 * Writes the sum of the intervals as a pprof profile; "-" is standard output. A file appears under
 * its name when it is complete, or not at all. soon: sampling goes on, so source lines that take
 * long are left to the next file.
 */
int saver__write(struct saver *saver, const char *path, bool soon, struct error *err);

/*
 * Writes the next file of a directory, forgets its intervals, and removes all but the newest
 * nr_kept files. *nr_later: as in rotation__remove_old(). 0, or negative errno: if writing failed,
 * nothing is forgotten.
 */
int saver__rotate(struct saver *saver, const struct rotation *rotation, unsigned int nr_kept,
		  size_t *nr_later, struct error *err);

/* Fills in facts of this machine and of the user who samples. */
void saver__describe(struct recording *recording);

/* A zeroed saver is fine. */
void saver__close(struct saver *saver);

#endif
