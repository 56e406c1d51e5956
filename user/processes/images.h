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

#include "processes/process.h"
#include "processes/time_lines.h"

struct mapped_file;
struct mapped_files;
struct roots;

/* Processes that are told of by name; of more it is told that there are. */
#define MAX_REFUSALS 8

/* An image whose mappings are not kept. */
struct refusal {
	int32_t pid;  /* 0: more than can be told */
	bool is_text; /* the list of its mappings is too long to be read; else they need memory */
};

struct images {
	struct time_lines lines;
	struct mapped_files *files;
	struct roots *roots;
	uint64_t generation;	   /* one more whenever records were lost; from 1 */
	uint64_t swept_generation; /* of the last search for processes whose end was lost */
	size_t max_bytes;	   /* of all mappings, with their files */
	int failure;		   /* how the last reading of a process went: 0 or negative errno */
	bool puts_off;		   /* long readings, until this is taken back */
	struct refusal refusals[MAX_REFUSALS];
	size_t nr_refusals, nr_told; /* may exceed the array by one */
};

/*
 * files and roots must outlive it. free_jit is called when an image is forgotten; NULL: nobody sets
 * one. max_bytes: that mappings and their files may take; half of it one image. 0 or -ENOMEM.
 */
int images__init(struct images *images, struct mapped_files *files, struct roots *roots,
		 size_t max_bytes, void (*free_jit)(struct jit *jit));
void images__fini(struct images *images); /* zeroed is fine */

/* Reads the mappings of a living process. 0 or negative errno; kernel threads give 0. */
int images__read(struct images *images, int32_t pid);

/* Reads the mappings of all processes that were put off. */
void images__read_put_off(struct images *images);

/* Takes one event. */
void images__observe(struct images *images, const struct process_event *event);

/* The image of a process at process->seen_ns, read if it has to be; NULL: nothing is known. */
struct image *images__find(struct images *images, const struct process *process);

/* Drops images that nobody runs any more and nobody ran from before_ns on. */
void images__forget(struct images *images, uint64_t before_ns);

/* Names in the image are others than before, as if its mappings were. */
void images__touch(struct images *images, struct image *image);
/* The same of all images that have the file mapped; NULL: of all there are. */
void images__touch_all(struct images *images, const struct mapped_file *file);

/*
 * An address in this image was executing, and is in none of its mappings: no record tells of
 * mprotect. Reads them again, if that was not done just before; true: they were read.
 */
bool images__read_again(struct images *images, struct image *image);

#define IMAGE_PART 2 /* of the bytes of all that one image may take */

/* To be called when an image has got mappings: refuses it or larger ones, if they are too many. */
void images__bound(struct images *images, struct image *image);

/* Drops an image's mappings; it is read again after a while. */
void images__refuse(struct images *images, struct image *image, bool is_text);

/* The next image that was refused, told of once. False: there is no other. */
bool images__take_refusal(struct images *images, struct refusal *refusal);

/* Frees what was set as jit of all images. */
void images__drop_jit(struct images *images);

/* Without the mappings, which are counted with the files. */
size_t images__memory_bytes(struct images *images);

#endif
