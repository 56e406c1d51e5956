/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program images of each known process: each lasts from its birth (fork, exec) to the birth of
 * the next one with that pid. They tell which process had which mappings when.
 */
#ifndef TOPSTACKS_PROCESSES_IMAGES_H
#define TOPSTACKS_PROCESSES_IMAGES_H

#include "base/common.h"
#include "processes/process.h"
#include "processes/time_lines.h"

struct mapped_file;
struct mapped_files;
struct roots;

/* Refused processes told by name; further ones are told as a group. */
#define MAX_REFUSALS 8

/* An image whose mappings are not kept. */
struct refusal {
	int32_t pid;  /* 0: further ones that are not told by name */
	bool is_text; /* the list of mappings is too long to read; false: they need too much
		       * memory */
};

struct images {
	struct time_lines lines;
	struct mapped_files *files;
	struct roots *roots;
	uint64_t generation;	   /* grows when records were lost; from 1 */
	uint64_t swept_generation; /* generation when ended processes were last searched for */
	size_t max_bytes;	   /* of all mappings, with their files */
	int failure;		   /* result of the last reading of a process: 0 or negative
				    * errno */
	bool puts_off;		   /* postpone long readings */
	struct refusal refusals[MAX_REFUSALS];
	size_t nr_refusals, nr_told; /* may exceed MAX_REFUSALS by one */
};

/*
 * files and roots must outlive it. free_jit is called for each image that is dropped; NULL: jit is
 * never set. max_bytes: limit for mappings and their files; a single image may take half of it.
 */
void images__init(struct images *images, struct mapped_files *files, struct roots *roots,
		  size_t max_bytes, void (*free_jit)(struct jit *jit));
void images__fini(struct images *images); /* zeroed is fine */

/* Reads the mappings of a living process. 0 or negative errno; kernel threads give 0. */
int images__read(struct images *images, int32_t pid);

/* Reads the mappings of all postponed processes. */
void images__read_put_off(struct images *images);

/* Takes one event. */
void images__observe(struct images *images, const struct process_event *event);

/* The image of a process at process->seen_ns, read if it has to be; NULL: nothing is known. */
struct image *images__find(struct images *images, const struct process *process);

/* Drops images that ended before before_ns. */
void images__forget(struct images *images, uint64_t before_ns);

/* Notes that addresses in the image may have other names, as after a change of its mappings. */
void images__touch(struct images *images, struct image *image);
/* The same for all images that map the file; NULL: for all images. */
void images__touch_all(struct images *images, const struct mapped_file *file);

/*
 * Call it if an executing address is in none of the image's mappings, because no record tells of
 * mprotect. Reads the mappings again, unless that was done just before. True: they were read.
 */
bool images__read_again(struct images *images, struct image *image);

/* The next refused image that was not told yet. False: there is none. */
bool images__take_refusal(struct images *images, struct refusal *refusal);

/* Bytes without the mappings, which are counted with the files. */
size_t images__memory_bytes(struct images *images);

#endif
