/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the programs' own counters to the ledger: what became of the events of a drain.
 *
 * The rows of a generation are written by the sampling programs only, a row an event and CPU, and
 * are ours exactly as long as its set is (capture/kernel/generations.h).
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_ACCOUNT_H
#define TOPSTACKS_CAPTURE_KERNEL_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/host/map_calls.h"
#include "topstacks/abi.h"

struct ledger;
struct set;
struct topstacks_bpf;

struct account {
	struct ledger_cpu *rows;	       /* mapped, generation after generation */
	size_t nr_events, nr_cpus;	       /* each of an event has a row for each CPU */
	const struct program_session *session; /* of the programs */
	struct event_account {		       /* of the session */
		uint64_t nr_runs;	       /* already in a ledger */
		uint64_t nr_due, nr_events, nr_late;
		uint64_t rest_filtered, rest_lost; /* hits, too few for a sample so far */
	} events[ABI_MAX_EVENTS];
	uint64_t children_not_followed, runtime_untracked; /* already in a ledger */
	struct map_calls map_calls;			   /* not yet in a ledger */
};

/* Maps the programs' counters. 0 or negative errno. */
int account__open(struct account *account, const struct topstacks_bpf *skeleton, struct error *err);
/* Zeroed is fine. */
void account__close(struct account *account);

/* Whether the set of a generation fills up: drain it soon. */
bool account__is_full(const struct account *account, const struct set *set, uint32_t generation);

/*
 * Moves the counters of an owned generation into the ledgers, one an event, and its fill into the
 * set.
 */
void account__take_runs(struct account *account, uint32_t owned, struct set *set,
			struct ledger *ledgers);

/*
 * What a source tells of hits that were lost is told in samples, as the rest of the ledger: in as many as
 * would have been made of them.
 */
void account__in_samples(struct account *account, size_t event, struct ledger *told);

/* How often the program has run for an event so far, in both generations. */
uint64_t account__nr_runs(const struct account *account, size_t event);

/* Moves into the ledger what counted since the last time: followers of processes, map calls. */
void account__take_followers(struct account *account, struct ledger *ledger);

/*
 * Adds to the ledger of an event periods that fell due and made no event. due, events: what this
 * ledger has of them that was not told before.
 */
void account__late(struct account *account, size_t event, struct ledger *ledger, uint64_t due,
		   uint64_t events);

#endif
