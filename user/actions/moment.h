/* SPDX-License-Identifier: GPL-2.0-only */
/* A time of day as somebody says it. */
#ifndef TOPSTACKS_ACTIONS_MOMENT_H
#define TOPSTACKS_ACTIONS_MOMENT_H

#include <stdint.h>
#include <time.h>

#include "base/error.h"

/*
 * "14:03:10" or "14:03", local time: the last one before now, which may be yesterday's; or
 * "2026-11-26T14:03:10". *at is in seconds of CLOCK_REALTIME, as now is. 0, or -EINVAL with err filled.
 */
int moment__parse(const char *text, time_t now, time_t *at, struct error *err);

#endif
