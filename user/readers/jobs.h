/* SPDX-License-Identifier: GPL-2.0-only */
/* What readers do, and what they may ask for meanwhile. */
#ifndef TOPSTACKS_READERS_JOBS_H
#define TOPSTACKS_READERS_JOBS_H

#include <stddef.h>
#include <stdint.h>

#include "elf/debug_files.h"
#include "readers/confine.h"

struct worker;

enum reader_job {
	READ_PERF_MAP, /* what readers/jit_files.h says */
	READ_JITDUMP,
	READ_SYMBOLS,	    /* what elf/object.h says */
	READ_LARGE_SYMBOLS, /* the same, for files that take more than most: they wait their turn */
	READ_UNWIND,	    /* a struct interpreter, then an image, as unwind/unwind.h says */
	READ_LINES,	    /* what readers/source_lines.h says */
	READ_FUNCTION,	    /* what readers/function_code.h says */
	READ_BUILD_ID,	    /* of a whole debug file: in hex, terminated */
	READ_INSTRUCTIONS,  /* what readers/instructions.h says */
	READ_ALLOCATOR,	    /* what readers/allocator_file.h says */
	READ_SEGMENTS,	    /* what readers/file_segments.h says */
	READ_TEXT,	    /* a whole file, as it is; -EFBIG: it is too large */
	NR_READER_JOBS,
};

#define QUESTION_MAX_NAME_BYTES 256 /* with its zero */

/* An empty file in memory, for what opens nothing but files; index says how many bytes it is to have. */
#define QUESTION_SCRATCH NR_DEBUG_QUESTIONS

struct reader_question {
	uint32_t kind;			    /* enum debug_question, or QUESTION_SCRATCH */
	uint32_t index;			    /* which of the files that answer it, from 0 on */
	char name[QUESTION_MAX_NAME_BYTES]; /* terminated, not empty; '/' is for .dwo files */
};

/*
 * ---- inside a reader ----
 */

struct reader_task {
	int channel, answer; /* the answer is written from its beginning */
	const int *files;
	size_t nr_files;
	const void *arguments;
	size_t nr_bytes;
};

/*
 * All readers together take what all rows may take at once, and no more: each as much memory as its
 * bounds let it have, and an answer.
 */
#define READERS_MAX_BYTES (5269ULL << 20)

/* A row for each job. */
struct job_row {
	const char *name;
	unsigned int max_at_once; /* 0: any number */
	struct reader_bounds bounds;
	int (*run)(const struct reader_task *task); /* 0 or negative errno */
};

int job__perf_map(const struct reader_task *task);
int job__jitdump(const struct reader_task *task);
int job__symbols(const struct reader_task *task);
int job__unwind(const struct reader_task *task);
int job__lines(const struct reader_task *task);
int job__function(const struct reader_task *task);
int job__build_id(const struct reader_task *task);
int job__instructions(const struct reader_task *task);
int job__allocator(const struct reader_task *task);
int job__segments(const struct reader_task *task);
int job__text(const struct reader_task *task);

/* NULL: there is no such job. */
const struct job_row *jobs__find(uint32_t job);

/* A file that answers the question, for the reader to close; -ENOENT: there is none. */
int reader__ask(const struct reader_task *task, const struct reader_question *question);

/* Adds to the answer. 0 or negative errno. */
int reader__answer(const struct reader_task *task, const void *bytes, size_t nr_bytes);

#endif
