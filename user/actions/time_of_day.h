/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses a time of day that a user gives. */
#ifndef TOPSTACKS_ACTIONS_TIME_OF_DAY_H
#define TOPSTACKS_ACTIONS_TIME_OF_DAY_H

#include <time.h>

#include "base/common.h"

/*
 * Parses "14:03:10" or "14:03" in local time: the last such time before now, maybe yesterday's; or
 * "2026-11-26T14:03:10". *at and now: seconds of CLOCK_REALTIME. 0, or -EINVAL with err filled.
 */
int time_of_day__parse(const char *text, time_t now, time_t *at, struct error *err);

#endif
