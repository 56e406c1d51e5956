/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that one process made at run time, and told of later than it was sampled.
 *
 * Nobody knows when a line of a perf map began to hold. So a name of one is believed only if all that
 * was ever read of the address says the same. Records of a jitdump have times: of these count the
 * ones that held while the address was sampled.
 *
 *	jitdump       A loaded        A replaced    B loaded
 *	time       ───┴───────────────┴─────────────┴──────────►
 *	samples             ├─ A ─┤   ├──  none  ─┤   ├─ B ─┤
 *	              ├──────────  A and B: it was used again  ─┤
 */
#ifndef TOPSTACKS_SYMBOLS_JIT_LATE_TABLE_H
#define TOPSTACKS_SYMBOLS_JIT_LATE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

enum late_source {
	LATE_DUMP, /* what it says goes first */
	LATE_MAP,
	LATE_SOURCES,
};

/* What all tables use together, and may use. */
struct late_bounds {
	size_t bytes, max_bytes;
	size_t work;	 /* steps that may still be done in this round */
	size_t nr_named; /* how often an address got a name */
	bool demangle;	 /* names as they are kept */
};

struct late_asked;

struct late_table {
	struct map_number instance; /* of the process */
	struct late_bounds *bounds;
	struct late_asked *asked; /* addresses without a name */
	size_t nr_asked, nr_sorted, capacity;
	void *past[LATE_SOURCES];   /* functions that are gone */
	bool is_lost[LATE_SOURCES]; /* too much was told, and nothing of it is believed */
	bool is_over;		    /* nothing more is told of it, or asked */
};

/* A function, or what was one. */
struct late_code {
	uint64_t start, last; /* addresses of its first and last byte */
	const char *name;
	uint64_t time_ns; /* when it was loaded, or was gone; 0: not known */
};

/* When samples were taken (CLOCK_MONOTONIC): no earlier and no later. */
struct late_window {
	uint64_t from_ns, to_ns;
};

/* Of one that is zeroed but for its bounds; or that stays so. */
void late_table__fini(struct late_table *table);

/* An address was sampled then, and has no name. Beyond the bounds it never gets one. */
void late_table__want(struct late_table *table, uint64_t address, const struct late_window *window);

/* A source tells of a function; that one of which it told is gone; of more than can be kept. */
void late_table__told(struct late_table *table, enum late_source source,
		      const struct late_code *code);
void late_table__gone(struct late_table *table, enum late_source source,
		      const struct late_code *code);
void late_table__lose(struct late_table *table, enum late_source source);

enum late_answer {
	LATE_UNKNOWN, /* nothing was told of it, or it was not asked for */
	LATE_REUSED,  /* different functions may have been there */
	LATE_NAMED,
};

/* *name: valid until more is told; *start: of the function. */
enum late_answer late_table__find(struct late_table *table, uint64_t address, const char **name,
				  uint64_t *start);

/* How many of the addresses are LATE_REUSED. */
size_t late_table__nr_reused(struct late_table *table);

#endif
