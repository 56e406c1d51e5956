/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The images of each pid:
 *
 *	time          ──────fork──────────exec──────────────exit────fork────►
 *	images of a pid      [ parent's    )[ new program            )[ another process
 *
 * The image of a sample is the last one that began before it.
 */
#ifndef TOPSTACKS_PROCESSES_TIME_LINES_H
#define TOPSTACKS_PROCESSES_TIME_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct jit;
struct mappings;
struct root_directory;

struct time_lines {
	struct map map; /* by pid */
	void (*free_jit)(struct jit *jit);
	uint64_t serial; /* of the image that has changed last */
};

struct image {
	struct image *older; /* of the same pid */
	struct mappings *mappings;
	struct root_directory *root; /* its own or its parent's; NULL: ours, or not known */
	struct jit *jit;	     /* what names its code made at run time; NULL: none was met */
	int32_t pid;
	uint64_t begin_ns;    /* CLOCK_MONOTONIC, as all of these; 0: before we looked */
	uint64_t end_ns;      /* of the process; 0: it lives */
	uint64_t read_ns;     /* its mappings are those of /proc at that time; 0: never read */
	uint64_t seen_ns;     /* no sample that is still to be named is older */
	uint64_t mapped_ns;   /* of the latest event that changed its mappings */
	uint64_t start_ticks; /* birth of the process; 0: not known yet */
	uint64_t ask_ns;      /* from then on its mappings may be read again to see what is new */
	uint64_t refused_ns;  /* when its mappings were last found to be too many; 0: never */
	uint64_t serial;      /* grows with each change of mappings, and over all images */
	uint64_t generation;  /* images->generation when it was last complete */
	bool root_is_own;     /* looked at, not inherited */
	bool is_refused;      /* its mappings are too many, and none is kept */
	bool is_long;	      /* their text is, so whatever has to do with it comes last */
	bool is_put_off;      /* and so they were not read yet, or not again */
};

/* All images of one pid. */
struct time_line {
	struct map_number pid;
	const struct time_lines *lines;
	struct image *newest; /* NULL only while it is made */
};

/* free_jit is called when an image is forgotten; NULL: nobody sets one. 0 or -ENOMEM. */
int time_lines__init(struct time_lines *lines, void (*free_jit)(struct jit *jit));
void time_lines__fini(struct time_lines *lines); /* zeroed is fine */

/* NULL: nothing was heard of the pid. */
struct time_line *time_lines__find(const struct time_lines *lines, int32_t pid);

/* NULL: none had begun by then; also for a line that is NULL. */
struct image *time_line__at(const struct time_line *line, uint64_t time_ns);

/*
 * Begins an image at some time, with a reference to mappings, which it takes in any case. What was
 * read from /proc after that time stays the newest, and begins then. NULL: no memory.
 */
struct image *time_lines__begin(struct time_lines *lines, int32_t pid, uint64_t begin_ns,
				struct mappings *mappings);

void time_lines__visit(struct time_lines *lines, void (*visit)(void *context, struct image *image),
		       void *context);

/* Ends at now_ns all processes that are gone: nobody may have told. */
void time_lines__end_gone(struct time_lines *lines, uint64_t now_ns);

/* As images__forget. */
void time_lines__forget(struct time_lines *lines, uint64_t before_ns);

/* Frees what was set as jit of all images. */
void time_lines__drop_jit(struct time_lines *lines);

/* Of all images, without their mappings. */
size_t time_lines__memory_bytes(struct time_lines *lines);

#endif
