/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What samples are counted for: functions, modules or paths, each once, whatever profile it is
 * from. They are found by name, and listed by age.
 */
#ifndef TOPSTACKS_DIFF_SUBJECTS_H
#define TOPSTACKS_DIFF_SUBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "profile/frame.h"

/* A function, a module, or the path that leads from a root to a function; its counts by run. */
struct subject {
	struct map_item item;
	const char *name; /* NULL: a path */
	const char *module;
	const struct subject *parent;	/* of a path: what leads there; NULL: nothing */
	const struct subject *function; /* and its end */
	enum frame_kind kind;
	bool machine;
	bool interrupt; /* what is below it in a stack is the machine's */
	uint64_t *self, *total;
	uint64_t stamp; /* of the last stack that it was seen in, so that recursion counts once */
	size_t self_unit, total_unit; /* SIZE_MAX: none */
};

struct subjects {
	struct map map;
	size_t nr_runs;
	struct subject **list;
	size_t nr, capacity;
};

/* 0 or -ENOMEM; fini also after an error. */
int subjects__init(struct subjects *subjects, size_t nr_runs);
void subjects__fini(struct subjects *subjects);

/* That of this name in this module (NULL: none). NULL: out of memory. */
struct subject *subjects__name(struct subjects *subjects, const char *name, const char *module,
			       enum frame_kind kind, bool machine);

/* The path that goes on from parent (NULL: a root) to function. NULL: out of memory. */
struct subject *subjects__path(struct subjects *subjects, const struct subject *parent,
			       const struct subject *function);

/* The function or module itself, of a path its end. */
static inline const struct subject *subject__function(const struct subject *subject)
{
	return subject->function ? subject->function : subject;
}

#endif
