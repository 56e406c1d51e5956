/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program images of every process that was heard of, each from its birth (fork, exec) to the
 * birth of the next one with its pid.
 */
#ifndef TOPSTACKS_PROCESSES_IMAGES_H
#define TOPSTACKS_PROCESSES_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processes/process.h"

struct images;
struct jit;
struct mappings;
struct modules;
struct root;
struct roots;

struct image {
	struct image *older; /* of the same pid */
	struct mappings *mappings;
	struct root *root; /* its own or its parent's; NULL: ours, or not known */
	struct jit *jit;   /* NULL: no code made at run time was met */
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

/* NULL: out of memory. Both must outlive it. */
struct images *images__new(struct modules *modules, struct roots *roots);
void images__free(struct images *images);

/* As symbols__read_process, symbols__observe, symbols__image and symbols__forget. */
int images__read(struct images *images, int32_t pid);
void images__observe(struct images *images, const struct process_event *event);
struct image *images__find(struct images *images, const struct process *process);
void images__forget(struct images *images, uint64_t before_ns);

/* Names in the image are others than before, as if its mappings were. */
void images__touch(struct images *images, struct image *image);

/*
 * An address in this image was executing, and is in none of its mappings: no record tells of
 * mprotect. Reads them again, if that was not done just before; true: they were read.
 */
bool images__read_again(struct images *images, struct image *image);

/* Forgets what processes told of code that they made; it is read again. */
void images__drop_jit(struct images *images);

size_t images__nr_processes(const struct images *images);
size_t images__memory_bytes(const struct images *images);

#endif
