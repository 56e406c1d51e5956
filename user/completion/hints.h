/* SPDX-License-Identifier: GPL-2.0-only */
/* A row of facts for each enum option_hint. */
#ifndef TOPSTACKS_COMPLETION_HINTS_H
#define TOPSTACKS_COMPLETION_HINTS_H

#include "base/common.h"
#include "base/options/options.h"

/* Whether a value is a path. */
enum hint_path {
	PATH_IS_NONE,
	PATH_IS_FILE,
	PATH_IS_DIRECTORY,
};

struct hint {
	const char *name; /* of the kind of candidates: "pids"; NULL: no candidates */
	bool is_list;	  /* comma-separated, although the option's kind does not tell */
	/*
	 * Prints the candidates with candidate__print(). 0, or negative errno with err filled.
	 * NULL: there are none, or they are commands.
	 */
	int (*tell)(FILE *out, struct error *err);

	enum hint_path path;
	const char *endings; /* of preferred files: "pb.gz|pb"; "": any */
};

/* The row of a hint. */
const struct hint *hint__get(enum option_hint hint);

/*
 * Prints a line: a name, and after a tab its meaning (NULL: none). Skips a name with other
 * characters than [A-Za-z0-9._-] and marks, as a changed name would be wrong. In the meaning, other
 * characters become underscores.
 */
void candidate__print(FILE *out, const char *name, const char *marks, const char *meaning,
		      const char *meaning_marks);

/* ---- running.c ---- */

int processes__tell(FILE *out, struct error *err);
int threads__tell(FILE *out, struct error *err);
int comms__tell(FILE *out, struct error *err);

#endif
