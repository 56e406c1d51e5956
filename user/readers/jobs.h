/* SPDX-License-Identifier: GPL-2.0-only */
/* The jobs of readers, and the questions that they may ask. */
#ifndef TOPSTACKS_READERS_JOBS_H
#define TOPSTACKS_READERS_JOBS_H

#include "base/common.h"
#include "elf/debug_files.h"
#include "readers/confine.h"

struct worker;

enum reader_job {
	READ_PERF_MAP, /* see readers/jit_files.h */
	READ_JITDUMP,
	READ_SYMBOLS,	    /* see elf/object.h */
	READ_LARGE_SYMBOLS, /* the same for larger files, one at a time */
	READ_UNWIND,	    /* a struct interpreter, then an image of unwind/unwind.h */
	READ_LINES,	    /* see readers/source_lines.h */
	READ_FUNCTION,	    /* see readers/function_code.h */
	READ_BUILD_ID,	    /* of a whole debug file: in hex, terminated */
	READ_INSTRUCTIONS,  /* see readers/instructions.h */
	READ_ALLOCATOR,	    /* see readers/allocator_file.h */
	READ_SEGMENTS,	    /* see readers/file_segments.h */
	READ_TEXT,	    /* a whole file, unchanged; -EFBIG: too large */
	NR_READER_JOBS,
};

#define QUESTION_MAX_NAME_BYTES 256 /* including the zero */

/*
 * Asks for an empty file in memory, for code that needs a file to open; index: its size in bytes.
 */
#define QUESTION_SCRATCH NR_DEBUG_QUESTIONS

struct reader_question {
	uint32_t kind;			    /* enum debug_question, or QUESTION_SCRATCH */
	uint32_t index;			    /* number of the wanted file among those that fit,
					     * from 0 */
	char name[QUESTION_MAX_NAME_BYTES]; /* terminated, not empty; only names of .dwo files
					     * may have '/' */
};

/*
 * ---- inside a reader ----
 */

struct reader_task {
	int channel, answer; /* write the answer from its beginning */
	const int *files;
	size_t nr_files;
	const void *arguments;
	size_t nr_bytes;
};

#ifdef __aarch64__
#define OUR_MACHINE EM_AARCH64
#else
#define OUR_MACHINE EM_X86_64
#endif

/* Sum of the limits of all readers that may run at once: memory and an answer for each. */
#define READERS_MAX_BYTES (5269ULL << 20)

/* The row of a job. */
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

/* Asks for a file, which the reader closes; -ENOENT: there is none. */
int reader__ask(const struct reader_task *task, const struct reader_question *question);

/* Appends to the answer. 0 or negative errno. */
int reader__answer(const struct reader_task *task, const void *bytes, size_t nr_bytes);

/* Debug files, for which the reader asks one by one. The task is borrowed. */
struct debug_candidates reader__debug_candidates(const struct reader_task *task);

#endif
