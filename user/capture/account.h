/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the programs' own counters to the ledger: what became of the events of a drain.
 *
 * The rows of a generation are written by the sampling programs only, a row a context and CPU, and
 * are ours exactly as long as its set is (capture/generations.h).
 */
#ifndef TOPSTACKS_CAPTURE_ACCOUNT_H
#define TOPSTACKS_CAPTURE_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/map_calls.h"
#include "topstacks/abi.h"

struct ledger;
struct set;
struct topstacks_bpf;

struct account {
	struct ledger_cpu *rows;			   /* mapped, generation after generation */
	size_t nr_rows;					   /* of a generation */
	const struct program_session *session;		   /* of the programs */
	uint64_t nr_due, nr_events, nr_late;		   /* of the session */
	uint64_t children_not_followed, runtime_untracked; /* already in a ledger */
	struct map_calls map_calls;			   /* not yet in a ledger */
};

/* Maps the programs' counters. 0 or negative errno. */
int account__open(struct account *account, const struct topstacks_bpf *skeleton, struct error *err);
/* Zeroed is fine. */
void account__close(struct account *account);

/* How full the set of a generation will be, counting what is on its way: drain soon. */
bool account__is_half_full(const struct account *account, const struct set *set,
			   uint32_t generation);

/* Moves the counters of an owned generation into the ledger, and its fill into the set. */
void account__take_runs(struct account *account, uint32_t owned, struct set *set,
			struct ledger *ledger);

/* Moves into the ledger what counted since the last time: followers of processes, map calls. */
void account__take_followers(struct account *account, struct ledger *ledger);

/* Adds periods that fell due and made no event. */
void account__late(struct account *account, struct ledger *ledger, uint64_t due, uint64_t events);

#endif
