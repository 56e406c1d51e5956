/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of each enum option_hint: a row each. */
#ifndef TOPSTACKS_COMPLETION_HINTS_H
#define TOPSTACKS_COMPLETION_HINTS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/options/options.h"

/* Of a value that is a path. */
enum hint_path {
	PATH_IS_NONE,
	PATH_IS_FILE,
	PATH_IS_DIRECTORY,
};

struct hint {
	const char *name; /* of the kind of candidates: "pids"; NULL: there are none */
	bool is_list; /* several with commas between them, though the option's kind does not say so */
	bool is_fixed; /* the same at any time, so that a script has them */
	/* Prints them, each by candidate__print. 0, or negative errno with err filled. */
	int (*tell)(FILE *out, struct error *err);

	enum hint_path path;
	const char *endings; /* of files that come first: "pb.gz|pb"; "": any */
};

/* The row of a hint. */
const struct hint *hint__get(enum option_hint hint);

/*
 * A line: a name, after a tab perhaps what it means (NULL: nothing). A name with other marks than these
 * and [A-Za-z0-9._-] is left out: another would not be it. In what it means they become underscores.
 */
void candidate__print(FILE *out, const char *name, const char *marks, const char *meaning,
		      const char *meaning_marks);

/* ---- who tells ---- */

int processes__tell(FILE *out, struct error *err);
int threads__tell(FILE *out, struct error *err);
int comms__tell(FILE *out, struct error *err);
int users__tell(FILE *out, struct error *err);
int cgroup_paths__tell(FILE *out, struct error *err);
int containers__tell(FILE *out, struct error *err);
int event_names__tell(FILE *out, struct error *err);

#endif
