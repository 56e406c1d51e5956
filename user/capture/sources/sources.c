// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/source.h"

extern const struct source lock_source; /* time that threads wait for locks */

const struct source *const sources[] = {
	&cpu_source,	 &off_cpu_source,	&wall_source,  &lock_source,
	&alloc_source,	 &alloc_running_source, &live_source,  &switch_source,
	&counter_source, &tracepoint_source,	&probe_source, NULL,
};
