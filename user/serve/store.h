/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The store keeps the samples of the last minutes, slice by slice, within a memory limit.
 *
 * The newest slices are recordings, since names may be told late; older slices are packed as
 * gzipped pprof profiles. The sampling thread adds slices, and another thread reads them.
 */
#ifndef TOPSTACKS_SERVE_STORE_H
#define TOPSTACKS_SERVE_STORE_H

#include <pthread.h>

#include "base/common.h"
#include "profile/recording.h"

#define MOST_OWNERS 16 /* users told apart in a slice */

/* The weight of a user's processes. */
struct slice_owner {
	uint32_t uid;
	uint64_t weight;
};

struct slice {
	struct slice *next;
	unsigned int nr_holders;   /* including the store; under its lock */
	uint64_t start_ns, end_ns; /* CLOCK_MONOTONIC */
	int64_t start_realtime_ns; /* CLOCK_REALTIME */
	uint64_t weight;	   /* of the first event's samples */
	struct slice_owner owners[MOST_OWNERS];
	size_t nr_owners;
	struct recording recording; /* zeroed once packed; under the lock */
	char *bytes;		    /* packed */
	size_t nr_bytes;
};

struct store {
	pthread_mutex_t lock;
	struct slice *oldest, *newest;
	size_t max_bytes, nr_bytes; /* of packed slices */
	uint64_t keep_ns;
	uint64_t nr_slices, nr_forgotten; /* slices in the store; slices dropped before their
					   * time */
};

void store__init(struct store *store, size_t max_bytes, uint64_t keep_ns);
void store__fini(struct store *store);

/*
 * Adds a copy of the samples up to end_ns, and drops slices that are too old or exceed the limit. 0
 * or negative errno.
 */
int store__add(struct store *store, const struct recording *interval, uint64_t end_ns);

/*
 * Drops the older half of the slices, for want of memory. False: there are none, or this very
 * thread uses them. Any thread may call it.
 */
bool store__shed(struct store *store);

/* Calls visit for all slices not packed yet. 0, or the first failure. */
int store__visit_fresh(struct store *store, int (*visit)(void *context, struct recording *slice),
		       void *context);

/* A time of CLOCK_MONOTONIC or CLOCK_REALTIME. */
struct span {
	int64_t from_ns, to_ns;
	bool is_realtime;
};

/* The slices that lie at least half within a time. */
struct slices {
	struct slice **list; /* in the order of time */
	size_t nr;
};

/* Gets the slices of a time and holds them until store__let_go(). */
void store__hold(struct store *store, const struct span *span, struct slices *slices);
void store__let_go(struct store *store, struct slices *slices);

/*
 * Returns a slice as a recording of its own; the caller calls recording__fini(). 0 or negative
 * errno.
 */
int store__read(struct store *store, const struct slice *slice, struct recording *recording);

/* The times of the oldest and newest sample, CLOCK_MONOTONIC; equal: the store is empty. */
void store__reach(struct store *store, uint64_t *from_ns, uint64_t *to_ns);

/* Figures on the store. */
struct store_facts {
	uint64_t nr_slices, nr_bytes, nr_forgotten;
	uint64_t reach_ns;
};

struct store_facts store__facts(struct store *store);

#endif
