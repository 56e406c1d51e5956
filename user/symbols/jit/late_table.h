/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that one process made at run time, and told of after it was sampled.
 *
 * The time from which a line of a perf map holds is unknown. So a name from a map is believed only
 * if everything ever read about the address agrees. Records of a jitdump have times: those count
 * that held while the address was sampled.
 *
 *	jitdump       A loaded        A replaced    B loaded
 *	time       ───┴───────────────┴─────────────┴──────────►
 *	samples             ├─ A ─┤   ├──  none  ─┤   ├─ B ─┤
 *	              ├──────────  A and B: memory was reused  ─┤
 */
#ifndef TOPSTACKS_SYMBOLS_JIT_LATE_TABLE_H
#define TOPSTACKS_SYMBOLS_JIT_LATE_TABLE_H

#include "base/ranges.h"

enum late_source {
	LATE_DUMP, /* has priority */
	LATE_MAP,
	LATE_SOURCES,
};

/* Memory and work of all tables, and their limits. */
struct late_bounds {
	size_t bytes, max_bytes;
	size_t work;	 /* steps left in this round */
	size_t nr_named; /* addresses that got a name */
	bool demangle;	 /* demangle names before storing them */
};

struct late_asked;

struct late_table {
	struct map_number instance; /* of the process */
	struct late_bounds *bounds;
	struct late_asked *asked; /* addresses without a name */
	size_t nr_asked, nr_sorted, capacity;
	struct ranges past[LATE_SOURCES]; /* functions that are gone */
	size_t nr_past;
	bool is_lost[LATE_SOURCES]; /* too much was told: none of it is believed */
	bool is_over;		    /* nothing more is told or asked */
};

/* A function, loaded or gone. */
struct late_code {
	struct range range;
	const char *name;
	uint64_t time_ns; /* when it was loaded, or was gone; 0: not known */
};

/* The time in which samples were taken (CLOCK_MONOTONIC). */
struct late_window {
	uint64_t from_ns, to_ns;
};

/* A table that has only its bounds set is fine. */
void late_table__fini(struct late_table *table);

/*
 * Asks for the name of an address that was sampled in the window. Beyond the memory limit the
 * address gets none.
 */
void late_table__want(struct late_table *table, uint64_t address, const struct late_window *window);

/*
 * A source tells of: a function (told); the end of a function (gone); more than can be kept (lose).
 */
void late_table__told(struct late_table *table, enum late_source source,
		      const struct late_code *code);
void late_table__gone(struct late_table *table, enum late_source source,
		      const struct late_code *code);
void late_table__lose(struct late_table *table, enum late_source source);

enum late_answer {
	LATE_UNKNOWN, /* nothing was told of the address, or it was not asked for */
	LATE_REUSED,  /* different functions may have been there */
	LATE_NAMED,
};

/*
 * Finds the late name of an asked address. *name is valid until more is told; *start is where the
 * function of this name begins.
 */
enum late_answer late_table__find(struct late_table *table, uint64_t address, const char **name,
				  uint64_t *start);

/* Number of asked addresses that are LATE_REUSED. */
size_t late_table__nr_reused(struct late_table *table);

#endif
