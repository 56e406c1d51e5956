/* SPDX-License-Identifier: GPL-2.0-only */
/* Times as people and scrapers write them in queries. */
#ifndef TOPSTACKS_FRONT_TIMES_H
#define TOPSTACKS_FRONT_TIMES_H

#include <stdint.h>

#define SECOND_NS	 INT64_C(1000000000)
#define TIMES_LONGEST_NS (INT64_C(366) * 24 * 3600 * SECOND_NS)

/* "30", "0.5", "-1": seconds. 0, -EINVAL, -ERANGE: more than a year. */
int times__seconds(const char *text, int64_t *ns);

/* "30", "30s", "5m", "1.5h", "1m30s", "200ms". The same. */
int times__duration(const char *text, int64_t *ns);

/*
 * "2026-11-26T14:03:10.000Z", or "14:03:10" by the local clock: that of today, or of yesterday if
 * it is later than now. In CLOCK_REALTIME's nanoseconds. 0 or -EINVAL.
 */
int times__moment(const char *text, int64_t now_ns, int64_t *ns);

#endif
