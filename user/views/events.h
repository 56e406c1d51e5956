/* SPDX-License-Identifier: GPL-2.0-only */
/* What an event is to those who tell of it, and how another event of the run is told of in a line. */
#ifndef TOPSTACKS_VIEWS_EVENTS_H
#define TOPSTACKS_VIEWS_EVENTS_H

#include "profile/recording.h"

/* Samples stand for a time each, of which the scheduler has its own account. */
bool event__covers_time(const struct recording *event);

/* What it weighs is no time: there is nothing that it could cover. */
bool event__is_counted(const struct recording *event);

/* To those who tell of its losses. */
struct ledger_subject event__subject(const struct recording *event, bool has_others);

/* Nothing of the targets is known to be lost: what is, may be other processes'. */
bool event__lost_of_others(const struct recording *event);

/* The same, and the target's part in it is less than a hundredth of what was counted: nothing that alarms. */
bool event__lost_little(const struct recording *event);

/* What its ledger counted; where the metric counts nothing, the sum of what is shown. Of what that is. */
const struct metric *event__told_metric(const struct recording *event, uint64_t *value);

/*
 * What its samples weigh, where that is not how many there are: ", 3.2 MB"; of those that are taken once in
 * a period ", standing for 12,300". Else nothing. unit: of the weights, 1 unless they are scaled. As
 * snprintf.
 */
int event__describe_weight(const struct recording *event, double unit, char *text, size_t size);

/*
 * "99.9 % of 12,345 accounted for": no clock says how much there was, but each has its place. Nothing
 * without a ledger.
 */
void event__describe_account(const struct recording *event, char *text, size_t size);

/* "from 6.0 s on one in 16 is sampled, …", as snprintf; 0, and an empty text: each is. */
int event__describe_thinned(const struct recording *event, char *text, size_t size);

/* In percent; negative: not known, or of too little time to mean anything. */
double event__coverage(const struct recording *event);

/* "page-faults  12,345: 12,345 events = 12,345 counted + …", of cpu with its coverage; as snprintf. */
int event__describe(const struct recording *event, char *text, size_t size);

#endif
