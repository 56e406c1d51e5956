/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two kinds of files in which runtimes tell of code that they make: read by a reader, from where
 * the last one stopped, and told as what there was to do:
 *
 *	struct jit_answer, { struct jit_record, name, zeros up to a multiple of 8 } ...
 */
#ifndef TOPSTACKS_READERS_JIT_FILES_H
#define TOPSTACKS_READERS_JIT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer names are cut. */
#define JIT_MAX_NAME_BYTES 1024

enum jit_operation {
	JIT_ADD,   /* a function: what overlaps with it is gone */
	JIT_MOVE,  /* the function of this index that starts there is elsewhere now */
	JIT_CLEAR, /* all of them are gone */
	NR_JIT_OPERATIONS,
};

struct jit_record {
	uint64_t start;
	uint64_t size;	  /* of one that is added */
	uint64_t to;	  /* where one starts that is moved */
	uint64_t index;	  /* which function it is, where its maker says so */
	uint64_t time_ns; /* when that was (CLOCK_MONOTONIC); 0: nobody says */
	uint32_t operation;
	uint32_t name_bytes; /* that follow, without a zero at the end */
};

#define JIT_RECORD_BYTES(name_bytes) \
	(sizeof(struct jit_record) + (((size_t)(name_bytes) + 7) & ~(size_t)7))

/* Records one after the other. */
struct jit_told {
	char *bytes; /* malloc()ed */
	size_t nr_bytes, capacity;
	bool is_full; /* there was no memory for all */
};

/* Adds one; of the name up to its first zero. */
void jit_told__add(struct jit_told *told, const struct jit_record *record, const char *name);

/* Whether no more is to be told at once. */
bool jit_told__is_much(const struct jit_told *told);

/* ---- /tmp/perf-PID.map: a text that grows while the process runs, or is written anew ---- */

#define PERF_MAP_TAIL_BYTES 64

/* How far a map has been read. Zero: not at all. */
struct perf_map {
	uint64_t taken;			/* bytes, up to the end of a line */
	bool in_long_line;		/* or within one of which no more is wanted */
	char tail[PERF_MAP_TAIL_BYTES]; /* the last bytes before taken */
	size_t tail_bytes;
};

/*
 * Takes what was added to a regular file since the last time, *allowance bytes at most, which get
 * fewer. True: there may be other functions now. A file that was written anew begins anew.
 */
bool perf_map__read(struct perf_map *map, int fd, struct jit_told *told, size_t *allowance);

/*
 * ---- jit-PID.dump: records (tools/perf/Documentation/jitdump-specification.txt in Linux) ----
 *
 * Runtimes map it so that profilers find it. Of it the functions, not their code, lines and unwind
 * tables.
 */

/* How far a file has been read. Zero: not at all. */
struct jitdump {
	uint64_t taken;	      /* bytes: the header and whole records */
	bool is_ended;	      /* by its own word, or it is no such file of this machine */
	bool has_other_clock; /* times of its records are ticks of the CPU */
};

/*
 * Takes the records that were added to a regular file since the last time, as long as *allowance
 * lasts, a number of bytes that gets smaller by what was looked at. True: there may be other
 * functions now. A file that is shorter than what was read begins anew.
 */
bool jitdump__read(struct jitdump *dump, int fd, struct jit_told *told, size_t *allowance);

/* ".../jit-4711.dump" names pid 4711; 0: the path is another one's. */
int32_t jitdump__pid(const char *path);

/*
 * ---- the jobs ----
 */

/* Below this there is no point in asking for more. */
#define JIT_MIN_ALLOWANCE 65536

/* For whoever asks just bytes, which the next reader of the file gets. Zeroed: not read yet. */
union jit_progress {
	struct perf_map map;
	struct jitdump dump;
};

/* The arguments. */
struct jit_request {
	uint64_t allowance; /* bytes to read at most */
	union jit_progress progress;
};

struct jit_answer {
	uint64_t left; /* of the allowance */
	uint32_t has_changed, has_more;
	union jit_progress progress;
};

#endif
