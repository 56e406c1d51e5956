/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state that the pusher keeps across runs: its position in the spool, the request that it is
 * about to send, and the account. It is one file, which is replaced as a whole before each request:
 * after any failure, even a kill, the file tells what is acknowledged and what may have arrived.
 */
#ifndef TOPSTACKS_PUSH_STATE_H
#define TOPSTACKS_PUSH_STATE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "push/push_ledger.h"

#define STATE_MAX_ENDS 64 /* a range is not halved more often */

struct push_state {
	struct push_ledger account;
	uint64_t number;	 /* files up to this number are done; 0: none */
	char last[NAME_MAX + 1]; /* name of the file with that number */
	char name[NAME_MAX + 1]; /* files without a number are done up to this name */

	/* The file under way; "": none. */
	char file[NAME_MAX + 1];
	uint64_t file_number;
	uint64_t file_id[2];
	uint64_t plan;		   /* hash of the options that its parts depend on */
	struct push_ledger before; /* the account before it */
	uint64_t next;		   /* its first unsettled item */
	uint64_t ends
		[STATE_MAX_ENDS]; /* of the ranges that it was divided into, the next one last */
	uint64_t nr_ends;
	bool is_trying; /* the range from next on may have been sent */
};

/* Reads the state; a missing file gives zeros. 0, or negative errno with err filled. */
int state__read(struct push_state *state, const char *directory, struct error *err);

/* Writes the state to the disk. 0, or negative errno with err filled. */
int state__write(const struct push_state *state, const char *directory, struct error *err);

/*
 * Creates the directory if needed, and locks it against other pushers while *lock, which the caller
 * closes, is open. 0, or negative errno with err filled.
 */
int state__lock(const char *directory, int *lock, struct error *err);

#endif
