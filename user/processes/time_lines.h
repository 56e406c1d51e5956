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

#include "base/common.h"

struct jit;
struct mappings;
struct root_directory;

struct time_lines {
	struct map map; /* by pid */
	void (*free_jit)(struct jit *jit);
	uint64_t serial; /* serial of the last changed image */
};

struct image {
	struct image *older; /* of the same pid */
	struct mappings *mappings;
	struct root_directory *root; /* its own or its parent's; NULL: ours, or not known */
	struct jit *jit;	     /* names of its code made at run time; NULL: no such code */
	int32_t pid;
	uint64_t begin_ns;    /* CLOCK_MONOTONIC, as all of these; 0: before we looked */
	uint64_t end_ns;      /* end of the process; 0: it lives */
	uint64_t read_ns;     /* when its mappings were read from /proc; 0: never */
	uint64_t seen_ns;     /* samples still to be named are not older */
	uint64_t mapped_ns;   /* of the latest event that changed its mappings */
	uint64_t start_ticks; /* birth of the process; 0: not known yet */
	uint64_t ask_ns;      /* its mappings may be read again from then on */
	uint64_t refused_ns;  /* when its mappings were last refused; 0: never */
	uint64_t serial;      /* grows with each change of mappings, over all images */
	uint64_t generation;  /* images->generation when it was last complete */
	bool root_is_own;     /* read, not inherited */
	bool is_refused;      /* it has too many mappings, so none is kept */
	bool is_long;	      /* its maps text is long, so it is handled after others */
	bool is_put_off;      /* its mappings are still to be read, or read again */
};

/* All images of one pid. */
struct time_line {
	struct map_number pid;
	const struct time_lines *lines;
	struct image *newest; /* NULL only during creation */
};

/* free_jit is called when an image is dropped; NULL: jit is never set. */
void time_lines__init(struct time_lines *lines, void (*free_jit)(struct jit *jit));
void time_lines__fini(struct time_lines *lines); /* zeroed is fine */

/* NULL: the pid is not known. */
struct time_line *time_lines__find(const struct time_lines *lines, int32_t pid);

/* The image at a time. NULL: none had begun by then; line may be NULL. */
struct image *time_line__at(const struct time_line *line, uint64_t time_ns);

/*
 * Begins an image, and takes over a reference to mappings. An image read from /proc after begin_ns
 * stays the newest one, and its begin moves to begin_ns.
 */
struct image *time_lines__begin(struct time_lines *lines, int32_t pid, uint64_t begin_ns,
				struct mappings *mappings);

void time_lines__visit(struct time_lines *lines, void (*visit)(void *context, struct image *image),
		       void *context);

/* Ends all processes that are gone at now_ns, as their events may be lost. */
void time_lines__end_gone(struct time_lines *lines, uint64_t now_ns);

/* As images__forget(). */
void time_lines__forget(struct time_lines *lines, uint64_t before_ns);

/* Frees the jit of all images. */
void time_lines__drop_jit(struct time_lines *lines);

/* Bytes of all images, without their mappings. */
size_t time_lines__memory_bytes(struct time_lines *lines);

#endif
