/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names for what had none when it was recorded: symbols may have come since. One namer is for all
 * files of a command, so that they are named alike. What has a name keeps it.
 */
#ifndef TOPSTACKS_ACTIONS_RENAME_H
#define TOPSTACKS_ACTIONS_RENAME_H

#include "base/error.h"
#include "profile/file_placing.h"
#include "profile/recording.h"
#include "run/helpers.h"

/* Where symbols are looked for beside this machine. */
struct symbol_places {
	const char *symfs;	/* --symfs; NULL: nowhere */
	const char *debuginfod; /* --debuginfod: servers, "": the system's; NULL: none is asked */
};

/* The frames that were left out as the writers of files ask for it. */
struct pruned {
	uint64_t pruned, all; /* of files that ask, of the value that is shown */
	int why;	      /* nothing was left out of one of them; 0: there is none */
};

struct namer {
	struct symbol_places naming;
	struct fetching *fetching; /* NULL: no server is asked */
	struct helpers helpers;
	struct file_names *names;     /* NULL: no file is asked */
	struct file_layouts *layouts; /* likewise */
	struct pruned pruned;
	struct strings *demangled; /* names that others did not demangle */
	bool is_of_others;	   /* the recording at hand */
};

/*
 * To be called before files are read. What there is is found without being asked for; only if the options
 * ask for it, or must_start, it is an error if the helpers cannot be had. 0, or negative errno with err
 * filled; namer__stop() is to be called in any case.
 */
int namer__start(struct namer *namer, const struct symbol_places *naming, bool must_start,
		 struct error *err);
void namer__stop(struct namer *namer); /* zeroed is fine */

/* For readers of files (struct read_options), as long as it runs. */
struct file_placing namer__placing(const struct namer *namer);

/*
 * Names the frames of a recording, and leaves out what its writer wants left out (profile/select/prune.h). namer: a struct
 * namer. 0 or -ENOMEM.
 */
int namer__name(void *namer, struct recording *recording);

/* Whether topstacks recorded it on this machine, as far as its name tells. */
bool namer__is_of_here(const struct recording *recording);

/*
 * Says on standard error what was left out, what was found and where; with --symfs also what was looked for in vain; and what was not
 * fetched.
 */
void namer__tell(const struct namer *namer);

#endif
