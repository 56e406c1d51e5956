/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two kinds of files in which runtimes tell of code that they make: a reader reads on from
 * where the last one stopped, and its answer lists the changes:
 *
 *	struct jit_answer, { struct jit_record, name, zeros up to a multiple of 8 } ...
 */
#ifndef TOPSTACKS_READERS_JIT_FILES_H
#define TOPSTACKS_READERS_JIT_FILES_H

#include "base/common.h"

/* Longer names are cut off. */
#define JIT_MAX_NAME_BYTES 1024

enum jit_operation {
	JIT_ADD,   /* adds a function and removes those that it overlaps */
	JIT_MOVE,  /* moves the function with this index and start */
	JIT_CLEAR, /* removes all functions */
	NR_JIT_OPERATIONS,
};

struct jit_record {
	uint64_t start;
	uint64_t size;	  /* for JIT_ADD */
	uint64_t to;	  /* new start, for JIT_MOVE */
	uint64_t index;	  /* the runtime's number of the function, or 0 */
	uint64_t time_ns; /* CLOCK_MONOTONIC; 0: not known */
	uint32_t operation;
	uint32_t name_bytes; /* length of the name that follows, not terminated */
};

#define JIT_RECORD_BYTES(name_bytes) \
	(sizeof(struct jit_record) + (((size_t)(name_bytes) + 7) & ~(size_t)7))

/* A sequence of records. */
struct jit_told {
	char *bytes; /* malloc()ed */
	size_t nr_bytes, capacity;
	bool is_full; /* memory was lacking */
};

/* Adds a record; the name ends at its first zero. */
void jit_told__add(struct jit_told *told, const struct jit_record *record, const char *name);

/* Whether the records are enough for one answer. */
bool jit_told__is_much(const struct jit_told *told);

/* ---- /tmp/perf-PID.map: a text that grows while the process runs, or is written anew ---- */

#define PERF_MAP_TAIL_BYTES 64

/* How far a map has been read. Zeroed: not read yet. */
struct perf_map {
	uint64_t taken;			/* bytes read, up to the end of a line */
	bool in_long_line;		/* or within a long line, whose rest is skipped */
	char tail[PERF_MAP_TAIL_BYTES]; /* the last bytes before taken */
	size_t tail_bytes;
};

/*
 * Reads what was added to a regular file since the last call, at most *allowance bytes, which is
 * reduced. True: functions may have changed. A file that was rewritten is read from its start.
 */
bool perf_map__read(struct perf_map *map, int fd, struct jit_told *told, size_t *allowance);

/*
 * ---- jit-PID.dump: records (tools/perf/Documentation/jitdump-specification.txt in Linux) ----
 *
 * Runtimes map the file so that profilers find it. Only functions are read, not their code, lines
 * and unwind tables.
 */

/* How far a file has been read. Zeroed: not read yet. */
struct jitdump {
	uint64_t taken;	      /* bytes read: the header and whole records */
	bool is_ended;	      /* a record says so, or the file is not of this format and machine */
	bool has_other_clock; /* times in records are CPU ticks */
};

/*
 * Reads the records added to a regular file since the last call, until *allowance bytes, which is
 * reduced, are used. True: functions may have changed. A file that has become shorter is read from
 * its start.
 */
bool jitdump__read(struct jitdump *dump, int fd, struct jit_told *told, size_t *allowance);

/* The pid in ".../jit-4711.dump"; 0: another kind of path. */
int32_t jitdump__pid(const char *path);

/*
 * ---- the jobs ----
 */

/* A smaller allowance is not worth a reading. */
#define JIT_MIN_ALLOWANCE 65536

/*
 * State between readings, opaque to the caller, who passes it to the next reader. Zeroed: not read
 * yet.
 */
union jit_progress {
	struct perf_map map;
	struct jitdump dump;
};

/* The arguments. */
struct jit_request {
	uint64_t allowance; /* most bytes to read */
	union jit_progress progress;
};

struct jit_answer {
	uint64_t left; /* rest of the allowance */
	uint32_t has_changed, has_more;
	union jit_progress progress;
};

#endif
