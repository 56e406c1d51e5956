/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One function of a recording: where in its source and in its code the samples are.
 *
 * A sample counts as self where the function itself, or code inlined into it, was running. It
 * counts as a call where the function had called the running code. In a stack in which the function
 * recurs, each of its places counts once.
 *
 * Strings belong to the dictionary of the recording, and are hostile until escaped for an output.
 */
#ifndef TOPSTACKS_PROFILE_ANNOTATION_H
#define TOPSTACKS_PROFILE_ANNOTATION_H

#include "base/common.h"
#include "profile/frame.h"
#include "profile/profile.h"

struct annotated_values {
	uint64_t self[VALUES], calls[VALUES];
	double self_squares, calls_squares; /* of the weights of these samples */
};

void annotated_values__add(struct annotated_values *sum, const struct annotated_values *more);

/*
 * One source line of the function, together with the code that was inlined there. If `inlined` is
 * set, the entry is the part of that line that inlined code took: the innermost inlined function,
 * and the line in it.
 */
struct annotated_line {
	const char *file; /* NULL: not known; the line is 0 then */
	uint32_t line;
	uint32_t inlined_line;
	const char *inlined; /* NULL: the entry is the whole line */
	const char *inlined_file;
	struct annotated_values values;
};

enum address_role {
	ADDRESS_RUNS,	 /* the instruction was running, or entered the kernel */
	ADDRESS_RETURNS, /* a return address: the instruction before it is the call */
};

/* An instruction that was sampled, as the recording knows it. */
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
	const char *name;   /* without the suffixes that compilers append */
	const char *module; /* NULL: not known */
	uint64_t total;	    /* the shown value of all stacks that have it, each once */
	enum frame_kind kind;
};

struct annotation {
	struct annotated_function function;
	struct annotated_values values; /* each stack counts as a call at most once */
	uint64_t total[VALUES];		/* of stacks that have the function, each once */
	uint32_t start_line;		/* where its source begins; 0: not known */
	struct annotated_line *lines;	/* by file and line; the parts of a line follow it */
	size_t nr_lines;
	struct annotated_address *addresses; /* by file and address; none where it is inlined */
	size_t nr_addresses;
	struct annotated_host *hosts; /* by name */
	size_t nr_hosts;
};

/*
 * Finds the functions that a user may mean by name, those with most samples first. The first of
 * these readings that has a match decides: the exact name; "MODULE:FUNCTION"; a name up to its
 * parameters; a name as views shorten it. The caller frees *functions. Returns their number.
 */
long annotation__search(const struct profile *profile, const char *name,
			struct annotated_function **functions);

/* Returns the sampled function whose name is most like this one, to suggest it. NULL: none. */
const char *annotation__near(const struct profile *profile, const char *name);

/* Finds the lines, addresses and hosts of one function. */
void annotation__make(struct annotation *annotation, const struct profile *profile,
		      const struct annotated_function *function);
void annotation__fini(struct annotation *annotation); /* zeroed is fine */

#endif
