/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The past: what was sampled in the last minutes, slice by slice, within a bound on memory.
 *
 * The newest slices are recordings, since names may be told late; then a slice is packed, as a gzipped
 * pprof profile. The thread that samples adds slices, and another one reads them.
 */
#ifndef TOPSTACKS_SERVE_STORE_H
#define TOPSTACKS_SERVE_STORE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/recording.h"

#define MOST_OWNERS 16 /* of a slice that are told apart */

/* What a user's processes had. */
struct slice_owner {
	uint32_t uid;
	uint64_t weight;
};

struct slice {
	struct slice *next;
	unsigned int nr_holders;   /* the store is one; under its lock */
	uint64_t start_ns, end_ns; /* CLOCK_MONOTONIC */
	int64_t start_realtime_ns; /* CLOCK_REALTIME */
	uint64_t weight;	   /* of the first event's samples */
	struct slice_owner owners[MOST_OWNERS];
	size_t nr_owners;
	struct recording recording; /* zeroed once it is packed; under the lock */
	char *bytes;		    /* packed */
	size_t nr_bytes;
};

struct store {
	pthread_mutex_t lock;
	struct slice *oldest, *newest;
	size_t max_bytes, nr_bytes; /* of packed slices */
	uint64_t keep_ns;
	uint64_t nr_slices, nr_forgotten; /* there are; that had to go before their time */
};

void store__init(struct store *store, size_t max_bytes, uint64_t keep_ns);
void store__fini(struct store *store);

/* Adds a copy of what was sampled until end_ns. What is too old, or too much, goes. 0 or negative errno. */
int store__add(struct store *store, const struct recording *interval, uint64_t end_ns);

/* For all slices that are not packed yet. 0, or the first failure. */
int store__visit_fresh(struct store *store, int (*visit)(void *context, struct recording *slice),
		       void *context);

/* A time: of CLOCK_MONOTONIC, or of CLOCK_REALTIME. */
struct span {
	int64_t from_ns, to_ns;
	bool is_realtime;
};

/* The slices of which at least half is in a time. */
struct slices {
	struct slice **list; /* in the order of time */
	size_t nr;
};

/* They stay until they are let go. 0 or -ENOMEM. */
int store__hold(struct store *store, const struct span *span, struct slices *slices);
void store__let_go(struct store *store, struct slices *slices);

/* A slice as a recording of its own, the caller's to fini. 0 or negative errno. */
int store__read(struct store *store, const struct slice *slice, struct recording *recording);

/* How far the past reaches: CLOCK_MONOTONIC; equal: there is none. */
void store__reach(struct store *store, uint64_t *from_ns, uint64_t *to_ns);

/* What is told of it in numbers. */
struct store_facts {
	uint64_t nr_slices, nr_bytes, nr_forgotten;
	uint64_t reach_ns;
};

struct store_facts store__facts(struct store *store);

#endif
