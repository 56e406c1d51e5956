/* SPDX-License-Identifier: GPL-2.0-only */
/* What the sampler did since it began, as numbers that only grow, for Prometheus. */
#ifndef TOPSTACKS_SERVE_TOTALS_H
#define TOPSTACKS_SERVE_TOTALS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/recording.h"
#include "serve/store.h"

#define TOTALS_MOST_EVENTS 16

struct event_totals {
	char event[64];
	struct ledger ledger;
	uint64_t weight; /* of its samples, ns or whatever its unit is */
};

/* Outcomes of requests. */
enum outcome {
	OUTCOME_ANSWERED,
	OUTCOME_REFUSED, /* they asked for what is not, or not for them */
	OUTCOME_FAILED,
	OUTCOMES,
};

/* What is kept for good because a rule said so (serve/rules.h). */
struct rule_totals {
	uint64_t nr_saved, nr_suppressed, nr_removed, nr_failed;
};

struct totals {
	pthread_mutex_t lock;
	struct event_totals events[TOTALS_MOST_EVENTS];
	size_t nr_events;
	struct cost cost; /* times are sums, bytes are the last ones */
	uint64_t nr_requests[OUTCOMES];
	uint64_t nr_spooled, nr_unspooled; /* files that were written, or could not be */
	struct rule_totals rules;
};

void totals__init(struct totals *totals);
void totals__fini(struct totals *totals);

void totals__add(struct totals *totals, const struct recording *interval);
void totals__count_request(struct totals *totals, enum outcome outcome);
void totals__count_spooled(struct totals *totals, int code);
void totals__set_rules(struct totals *totals, const struct rule_totals *rules);

/* Text format 0.0.4 of Prometheus. 0 or negative errno. */
int totals__write(FILE *out, struct totals *totals, const struct store_facts *store);

#endif
