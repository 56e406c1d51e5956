/* SPDX-License-Identifier: GPL-2.0-only */
/* Totals of the sampler's work since its start, for Prometheus. */
#ifndef TOPSTACKS_SERVE_COUNTERS_H
#define TOPSTACKS_SERVE_COUNTERS_H

#include <pthread.h>

#include "base/common.h"
#include "profile/recording.h"
#include "serve/store.h"

#define COUNTERS_MOST_EVENTS 16

struct event_counters {
	char event[64];
	struct ledger ledger;
	uint64_t weight; /* of its samples, in ns or its own unit */
};

/* Outcomes of requests. */
enum request_outcome {
	OUTCOME_ANSWERED,
	OUTCOME_REFUSED, /* the request was not valid or not permitted */
	OUTCOME_FAILED,
	OUTCOMES,
};

/* Counters of the profiles that rules have saved (serve/rules.h). */
struct rule_counters {
	uint64_t nr_saved, nr_suppressed, nr_removed, nr_failed;
};

struct counters {
	pthread_mutex_t lock;
	struct event_counters events[COUNTERS_MOST_EVENTS];
	size_t nr_events;
	struct cost cost; /* times are sums; bytes are the last values */
	double rate_hz;	  /* last rate asked of the kernel; 0: none */
	uint64_t nr_requests[OUTCOMES];
	uint64_t nr_spooled, nr_unspooled; /* files written; files that failed */
	struct rule_counters rules;
};

void counters__init(struct counters *counters);
void counters__fini(struct counters *counters);

/* Whether the event is sampled; also true if no event is known yet. */
bool counters__know(struct counters *counters, const char *event);

void counters__add(struct counters *counters, const struct recording *interval);
void counters__count_request(struct counters *counters, enum request_outcome outcome);
void counters__count_spooled(struct counters *counters, int code);
/*
 * Call counters__set_saved() from the thread that saves, counters__set_suppressed() from the one
 * that judges rules.
 */
void counters__set_saved(struct counters *counters, uint64_t nr_saved, uint64_t nr_removed,
			 uint64_t nr_failed);
void counters__set_suppressed(struct counters *counters, uint64_t nr_suppressed);

/* Writes the text format 0.0.4 of Prometheus. 0 or negative errno. */
int counters__write(FILE *out, struct counters *counters, const struct store_facts *store);

#endif
