/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that a process made at run time: by address, never two at one; and the two kinds of
 * files in which runtimes tell of them.
 */
#ifndef TOPSTACKS_SYMBOLS_JIT_CODE_H
#define TOPSTACKS_SYMBOLS_JIT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct found_symbol;

/* Longer names are cut. */
#define JIT_MAX_NAME_BYTES 1024

/* What the functions of all processes use together, and may use. */
struct jit_bounds {
	size_t code_bytes, max_code_bytes;
};

/* Empty as long as it has only bounds; jit_code__clear empties it again. */
struct jit_code {
	void *tree;
	size_t bytes; /* of its entries */
	struct jit_bounds *bounds;
};

struct jit_function {
	uint64_t start, size;
	uint64_t index; /* which function it is, where its maker says so */
	const char *name;
	size_t name_length; /* a zero byte ends the name as well */
};

/*
 * What overlaps with it is gone: memory is used again only when nobody runs what was there. That
 * holds without a name as well, but not without a size. 0, -ENOMEM, or -E2BIG: beyond the bounds,
 * and then it has no name.
 */
int jit_code__add(struct jit_code *code, const struct jit_function *function);

/* The function of this index that starts there is elsewhere now. Returns as jit_code__add. */
int jit_code__move(struct jit_code *code, uint64_t from, uint64_t to, uint64_t index);

void jit_code__clear(struct jit_code *code);

/* Valid until the next add, move or clear. */
bool jit_code__find(const struct jit_code *code, uint64_t address, struct found_symbol *found);

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
bool perf_map__read(struct perf_map *map, int fd, struct jit_code *code, size_t *allowance);

/*
 * ---- jit-PID.dump: records (tools/perf/Documentation/jitdump-specification.txt in Linux) ----
 *
 * Runtimes map it so that profilers find it. Of it the functions, not their code, lines and unwind
 * tables.
 */

/* How far a file has been read. Zero: not at all. */
struct jitdump {
	uint64_t taken; /* bytes: the header and whole records */
	bool is_ended;	/* by its own word, or it is no such file of this machine */
};

/*
 * Takes the records that were added to a regular file since the last time, as long as *allowance
 * lasts, a number of bytes that gets smaller by what was looked at. True: there may be other
 * functions now. A file that is shorter than what was read begins anew.
 */
bool jitdump__read(struct jitdump *dump, int fd, struct jit_code *code, size_t *allowance);

/* ".../jit-4711.dump" names pid 4711; 0: the path is another one's. */
int32_t jitdump__pid(const char *path);

#endif
