/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One function of a recording: where in its source and in its code the samples are.
 *
 * A sample counts as self where the function itself, or what was inlined into it, was running; and
 * as a call where it had called what was running. In a stack in which the function recurs, each of
 * its places counts once.
 *
 * Strings belong to the dictionary of the recording, and are hostile until escaped for an output.
 */
#ifndef TOPSTACKS_PROFILE_ANNOTATION_H
#define TOPSTACKS_PROFILE_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/frame.h"
#include "profile/profile.h"

struct annotated_values {
	uint64_t self[VALUES], calls[VALUES];
	double self_squares, calls_squares; /* of the weights of these samples */
};

void annotated_values__add(struct annotated_values *sum, const struct annotated_values *more);

/*
 * A line of the function, with all that was inlined there. With inlined it is a part of that line:
 * the innermost function that was inlined, and the line in it.
 */
struct annotated_line {
	const char *file; /* NULL: not known; the line is 0 then */
	uint32_t line;
	uint32_t inlined_line;
	const char *inlined; /* NULL: it is the line */
	const char *inlined_file;
	struct annotated_values values;
};

enum address_role {
	ADDRESS_RUNS, /* the instruction itself was running, or is where the kernel was entered */
	ADDRESS_RETURNS, /* the one before it had called */
};

/* An instruction, as the recording knows it. */
struct annotated_address {
	const char *path, *build_id; /* NULL: not known */
	uint64_t address;
	enum address_role role;
	struct annotated_values values;
};

/* A function that this one was inlined into. */
struct annotated_host {
	const char *function, *module;
	struct annotated_values values;
};

/* A function that was sampled. */
struct annotated_function {
	const char *name;   /* what compilers append is cut off */
	const char *module; /* NULL: not known */
	uint64_t total;	    /* of the value that is shown, wherever it is in a stack */
	enum frame_kind kind;
};

struct annotation {
	struct annotated_function function;
	struct annotated_values values; /* a stack counts as a call once */
	uint64_t total[VALUES];		/* of the function: anywhere, once a stack */
	uint32_t start_line;		/* where its source begins; 0: not known */
	struct annotated_line *lines;	/* by file and line; behind each the parts of it */
	size_t nr_lines;
	struct annotated_address *addresses; /* by file and address: where it is no inlined one */
	size_t nr_addresses;
	struct annotated_host *hosts; /* by name */
	size_t nr_hosts;
};

/*
 * The functions that somebody may mean by a name, most samples first: those that are called so, or
 * that are in this module if the name is "MODULE:FUNCTION"; only if there are none, those that are
 * called so up to their parameters, or shortened so, as by views. *functions is the caller's to free(). Returns how many there
 * are, or -ENOMEM.
 */
long annotation__search(const struct profile *profile, const char *name,
			struct annotated_function **functions);

/* The name of a function of the profile that is like this one. NULL: there is none. */
const char *annotation__near(const struct profile *profile, const char *name);

/* 0 or -ENOMEM. */
int annotation__make(struct annotation *annotation, const struct profile *profile,
		     const struct annotated_function *function);
void annotation__fini(struct annotation *annotation); /* zeroed is fine */

#endif
