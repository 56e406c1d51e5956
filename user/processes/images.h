/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program images of every process that was heard of, each from its birth (fork, exec) to the
 * birth of the next one with its pid: who had what mapped, when.
 */
#ifndef TOPSTACKS_PROCESSES_IMAGES_H
#define TOPSTACKS_PROCESSES_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "processes/process.h"

struct jit;
struct mapped_files;
struct mappings;
struct root_directory;
struct roots;

struct images {
	struct map lines; /* of images, by pid */
	struct mapped_files *files;
	struct roots *roots;
	void (*free_jit)(struct jit *jit);
	uint64_t serial;
	uint64_t generation;	   /* one more whenever records were lost; from 1 */
	uint64_t swept_generation; /* of the last search for processes whose end was lost */
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
	uint64_t asked_ns;    /* when its mappings were last read to see what is new */
	uint64_t serial;      /* grows with each change of mappings, and over all images */
	uint64_t generation;  /* images->generation when it was last complete */
	bool root_is_own;     /* looked at, not inherited */
};

/*
 * files and roots must outlive it. free_jit is called when an image is forgotten; NULL: nobody sets
 * one. 0 or -ENOMEM.
 */
int images__init(struct images *images, struct mapped_files *files, struct roots *roots,
		 void (*free_jit)(struct jit *jit));
void images__fini(struct images *images); /* zeroed is fine */

/* Reads the mappings of a living process. 0 or negative errno; kernel threads give 0. */
int images__read(struct images *images, int32_t pid);

/* Takes one event. */
void images__observe(struct images *images, const struct process_event *event);

/* The image of a process at process->seen_ns, read if it has to be; NULL: nothing is known. */
struct image *images__find(struct images *images, const struct process *process);

/* Drops images that nobody runs any more and nobody ran from before_ns on. */
void images__forget(struct images *images, uint64_t before_ns);

/* Names in the image are others than before, as if its mappings were. */
void images__touch(struct images *images, struct image *image);

/*
 * An address in this image was executing, and is in none of its mappings: no record tells of
 * mprotect. Reads them again, if that was not done just before; true: they were read.
 */
bool images__read_again(struct images *images, struct image *image);

/* Frees what was set as jit of all images. */
void images__drop_jit(struct images *images);

size_t images__memory_bytes(struct images *images);

#endif
