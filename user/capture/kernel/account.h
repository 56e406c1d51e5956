/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moves the programs' counters into the ledger, so that each drain tells what became of the events.
 *
 * The rows of a generation are written by the sampling programs only, one row for each event and
 * CPU. They are ours exactly as long as the generation's set is (capture/kernel/generations.h).
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_ACCOUNT_H
#define TOPSTACKS_CAPTURE_KERNEL_ACCOUNT_H

#include "base/common.h"
#include "capture/host/map_calls.h"
#include "topstacks/abi.h"

struct ledger;
struct set;
struct topstacks_bpf;

struct account {
	struct ledger_cpu *rows;	       /* mapped, sorted by generation, event and CPU */
	size_t nr_events, nr_cpus;	       /* each event has a row for each CPU */
	const struct program_session *session; /* the programs' globals */
	struct event_account {		       /* sums over the session */
		uint64_t nr_runs;	       /* already in a ledger */
		uint64_t nr_due, nr_events, nr_late;
		uint64_t rest_filtered, rest_lost; /* hits left over, too few for a sample so far */
	} events[ABI_MAX_EVENTS];
	uint64_t children_not_followed, runtime_untracked; /* already in a ledger */
	struct map_calls map_calls;			   /* not yet in a ledger */
};

/* Maps the programs' counters. Returns 0 or negative errno. */
int account__open(struct account *account, const struct topstacks_bpf *skeleton, struct error *err);
/* Zeroed is fine. */
void account__close(struct account *account);

/* Returns true if the set of a generation fills up and should be drained soon. */
bool account__is_full(const struct account *account, const struct set *set, uint32_t generation);

/*
 * Moves the counters of the generation `owned` into the ledgers, one for each event, and adds the
 * generation's new keys to set->nr_used.
 */
void account__take_runs(struct account *account, uint32_t owned, struct set *set,
			struct ledger *ledgers);

/*
 * Converts lost hits, as a source reports them, into samples, the unit of the ledger: one_in hits
 * are a sample.
 */
void account__in_samples(struct account *account, size_t event, struct ledger *told);

/* Returns the program runs for an event so far, in both generations. */
uint64_t account__nr_runs(const struct account *account, size_t event);

/* Moves counts since the last call into the ledger: processes not followed, map calls. */
void account__take_followers(struct account *account, struct ledger *ledger);

/*
 * Adds to the event's ledger the periods that fell due without an event. due, events: growth since
 * the last call.
 */
void account__late(struct account *account, size_t event, struct ledger *ledger, uint64_t due,
		   uint64_t events);

#endif
