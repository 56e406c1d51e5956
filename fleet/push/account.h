/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What became of each sample that was taken from the spool:
 *
 *	recorded = sent + rejected + expired + deleted + waiting
 *
 * "sent" is what the server acknowledged. "unconfirmed" stands beside it: what may have arrived although
 * no acknowledgement did, so that the server has at least sent and at most sent + unconfirmed.
 */
#ifndef TOPSTACKS_PUSH_ACCOUNT_H
#define TOPSTACKS_PUSH_ACCOUNT_H

#include <stdint.h>
#include <stdio.h>

enum push_count {
	COUNT_RECORDED, /* samples of files that were read; those below are parts of it */
	COUNT_SENT,
	COUNT_REFUSED,	     /* 422, or a failure that is not one of those below */
	COUNT_BAD,	     /* 400 */
	COUNT_TOO_LARGE,     /* 413 */
	COUNT_TOO_MUCH,	     /* 429 each time */
	COUNT_PARTIAL,	     /* the server took a request, but not all of it */
	COUNT_EXPIRED,	     /* older than the server takes */
	COUNT_DELETED,	     /* their file went before all of it was sent */
	COUNT_UNCONFIRMED,   /* samples that may have arrived unacknowledged, each time */
	COUNT_OTHER,	     /* sent as "other" */
	COUNT_REDATED,	     /* of files of the future: sent as of now */
	COUNT_FILES,	     /* all of this is in so many files */
	COUNT_FILES_DELETED, /* by their numbers; nobody knows their samples */
	COUNT_FILES_DAMAGED,
	COUNT_FILES_UNREADABLE,
	PUSH_COUNTS,
};

struct push_account {
	uint64_t of[PUSH_COUNTS];
};

/* "recorded": in the state's file and in metrics. */
const char *account__name(enum push_count count);

uint64_t account__rejected(const struct push_account *account);

/* What is recorded and neither here nor there: it waits in the file that is under way. */
uint64_t account__rest(const struct push_account *account);

/* What was not read yet. */
struct push_waiting {
	uint64_t nr_samples, nr_files;
	uint64_t nr_uncounted; /* of these files; nobody looked into them */
};

void account__print(FILE *out, const struct push_account *account,
		    const struct push_waiting *waiting);

/* For Prometheus: text format 0.0.4. */
void account__print_metrics(FILE *out, const struct push_account *account,
			    const struct push_waiting *waiting);

#endif
