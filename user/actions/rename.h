/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds names for frames that had none when they were recorded: symbols may be here now. All files
 * of a command share a namer, so that they get the same names. Existing names stay.
 */
#ifndef TOPSTACKS_ACTIONS_RENAME_H
#define TOPSTACKS_ACTIONS_RENAME_H

#include "base/common.h"
#include "profile/file_placing.h"
#include "profile/recording.h"
#include "run/helpers.h"

/* Where to look for symbols besides this machine's usual directories. */
struct symbol_places {
	const char *symfs;	/* --symfs; NULL: nowhere */
	const char *debuginfod; /* --debuginfod: URLs, "": the system's servers; NULL: no server */
};

/* Totals of the frames that were left out because the writers of files ask for it. */
struct pruned {
	uint64_t pruned, all; /* of the files that ask, in the shown value */
	int why;	      /* why a file's frames could not be left out, an error code; 0:
			       * none */
};

struct namer {
	struct symbol_places naming;
	struct fetching *fetching; /* NULL: no server is asked */
	struct helpers helpers;
	struct file_names *names;     /* NULL: no file is read */
	struct file_layouts *layouts; /* NULL: no file is read */
	struct pruned pruned;
	struct strings *demangled; /* demangled names of other tools' recordings */
	bool is_of_others;	   /* the current recording is another tool's */
};

/*
 * Starts the namer; call it before files are read. A failure to start the helpers is an error only
 * if the options ask for names or must_start is true; else frames just stay unnamed. 0, or negative
 * errno with err filled; call rename__stop() in any case.
 */
int rename__start(struct namer *namer, const struct symbol_places *naming, bool must_start,
		  struct error *err);
void rename__stop(struct namer *namer); /* zeroed is fine */

/* For readers of files (struct read_options); valid until rename__stop(). */
struct file_placing rename__placing(const struct namer *namer);

/*
 * Names the frames of a recording, and leaves out the frames that its writer asks to drop
 * (profile/select/prune.h).
 */
void rename__name(struct namer *namer, struct recording *recording);

/* Whether topstacks recorded it on this machine, judged by the host name in it. */
bool rename__is_of_here(const struct recording *recording);

/*
 * Tells on standard error which frames were left out and which names were found where; with --symfs
 * also which files stay without names; and which debug files were not fetched.
 */
void rename__tell(const struct namer *namer);

#endif
