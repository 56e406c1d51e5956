/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text in which runtimes tell of the functions they make: /tmp/perf-PID.map. It grows while the
 * process runs, or is written anew.
 */
#ifndef TOPSTACKS_SYMBOLS_PERF_MAP_H
#define TOPSTACKS_SYMBOLS_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jit_code;

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

#endif
