/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The account of all samples taken from the spool:
 *
 * recorded = sent + rejected + expired + deleted + waiting
 *
 * "sent" is what the server acknowledged. "unconfirmed" is counted besides: samples that may have
 * arrived without an acknowledgement. So the server has at least sent and at most sent +
 * unconfirmed.
 */
#ifndef TOPSTACKS_PUSH_PUSH_LEDGER_H
#define TOPSTACKS_PUSH_PUSH_LEDGER_H

#include <stdint.h>
#include <stdio.h>

enum push_count {
	COUNT_RECORDED, /* samples of files that were read; the counts below are parts of it */
	COUNT_SENT,
	COUNT_REFUSED,	     /* 422, or a failure not listed below */
	COUNT_BAD,	     /* 400 */
	COUNT_TOO_LARGE,     /* 413 */
	COUNT_TOO_MUCH,	     /* 429 each time */
	COUNT_PARTIAL,	     /* the server took a request, but not all of it */
	COUNT_EXPIRED,	     /* older than the server takes */
	COUNT_DELETED,	     /* their file was deleted before all of it was sent */
	COUNT_UNCONFIRMED,   /* samples that may have arrived unacknowledged, each time */
	COUNT_OTHER,	     /* sent as "other" */
	COUNT_REDATED,	     /* from files dated in the future: sent with the current time */
	COUNT_FILES,	     /* number of these files */
	COUNT_FILES_DELETED, /* known from gaps in the numbers; their samples are not known */
	COUNT_FILES_DAMAGED,
	COUNT_FILES_UNREADABLE,
	PUSH_COUNTS,
};

struct push_ledger {
	uint64_t of[PUSH_COUNTS];
};

/* The name of a count in the state's file and in metrics: "recorded". */
const char *push_ledger__name(enum push_count count);

uint64_t push_ledger__rejected(const struct push_ledger *account);

/* Samples recorded but not settled yet: they wait in the file under way. */
uint64_t push_ledger__rest(const struct push_ledger *account);

/* Files in the spool that were not read yet. */
struct push_waiting {
	uint64_t nr_samples, nr_files;
	uint64_t nr_uncounted; /* files that were not opened for counting */
};

void push_ledger__print(FILE *out, const struct push_ledger *account,
			const struct push_waiting *waiting);

/* Prints metrics for Prometheus: text format 0.0.4. */
void push_ledger__print_metrics(FILE *out, const struct push_ledger *account,
				const struct push_waiting *waiting);

#endif
