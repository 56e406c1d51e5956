/* SPDX-License-Identifier: GPL-2.0-only */
/* Properties of an event that outputs depend on, and an event described in a line. */
#ifndef TOPSTACKS_VIEWS_EVENTS_H
#define TOPSTACKS_VIEWS_EVENTS_H

#include "profile/recording.h"

/* True if a sample stands for a time that the scheduler counts as well. */
bool event__covers_time(const struct recording *event);

/* True if the weight is no time of the CPU: coverage has no meaning. */
bool event__is_counted(const struct recording *event);

/* The event's properties for the sentences on its losses. */
struct ledger_subject event__subject(const struct recording *event, bool has_others);

/* True if all losses may be those of other processes: none is known to be the target's. */
bool event__lost_of_others(const struct recording *event);

/*
 * The same, and the target's estimated part is at most a hundredth of the counted events: no reason
 * for alarm.
 */
bool event__lost_little(const struct recording *event);

/*
 * The metric that a summary begins with, and its value: the count, as the ledger has it; without a
 * count the shown metric and its total.
 */
const struct metric *event__told_metric(const struct recording *event, uint64_t *value);

/*
 * Writes what the samples weigh, if that is not their number: ", 3.2 MB"; or ", standing for
 * 12,300" for events sampled once in a period; else nothing. unit: divides the weights, 1 unless
 * they are scaled. As snprintf.
 */
int event__describe_weight(const struct recording *event, double unit, char *text, size_t size);

/*
 * Writes "99.9 % of 12,345 accounted for": no clock says how many events there were, but the ledger
 * has each. Writes nothing without a ledger.
 */
void event__describe_account(const struct recording *event, char *text, size_t size);

/*
 * Writes "from 6.0 s on one in 16 is sampled, …". As snprintf; 0 and an empty text if the event was
 * not thinned.
 */
int event__describe_thinned(const struct recording *event, char *text, size_t size);

/*
 * The percentage of the threads' CPU time that the samples cover; negative: not known, or the
 * threads ran too briefly for a percentage to mean anything.
 */
double event__coverage(const struct recording *event);

/*
 * Writes "page-faults  12,345: 12,345 events = 12,345 counted + …"; for CPU time with its coverage.
 * As snprintf.
 */
int event__describe(const struct recording *event, char *text, size_t size);

#endif
