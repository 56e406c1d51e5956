/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the pusher knows from one run to the next: how far it came in the spool, what it is about to send,
 * and the account. It is in one file, which is replaced as a whole before each request: whatever happens
 * then, a kill included, the file says what is acknowledged and what may have arrived.
 */
#ifndef TOPSTACKS_PUSH_STATE_H
#define TOPSTACKS_PUSH_STATE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "push/account.h"

#define STATE_MAX_ENDS 64 /* a range is halved no more often */

struct push_state {
	struct push_account account;
	uint64_t number;	 /* files up to this number are done; 0: none */
	char last[NAME_MAX + 1]; /* the file that had it */
	char name[NAME_MAX + 1]; /* as are those without a number up to this name */

	/* Of the file that is under way; "": none. */
	char file[NAME_MAX + 1];
	uint64_t file_number;
	uint64_t file_id[2];
	uint64_t plan;		    /* what its parts depend on beside it */
	struct push_account before; /* the account before it */
	uint64_t next;		    /* its first item that is not settled */
	uint64_t ends
		[STATE_MAX_ENDS]; /* of the ranges that it was divided into, the next one last */
	uint64_t nr_ends;
	bool is_trying; /* the range from next on may have been sent */
};

/* One that is not there is zero. 0, or negative errno with err. */
int state__read(struct push_state *state, const char *directory, struct error *err);

/* 0 when it is on the disk, or negative errno with err. */
int state__write(const struct push_state *state, const char *directory, struct error *err);

/*
 * Makes the directory if it is not there, and sees to it that nobody else uses it as long as *lock, which
 * is the caller's to close, is open. 0, or negative errno with err.
 */
int state__lock(const char *directory, int *lock, struct error *err);

#endif
