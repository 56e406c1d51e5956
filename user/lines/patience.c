// SPDX-License-Identifier: GPL-2.0-only
#include "lines/patience.h"

#define FIRST_NS 500000000ULL
#define LEAST_NS 10000000ULL /* a disk answers within that time */

struct patience patience__new(void)
{
	return (struct patience){.limit_ns = FIRST_NS};
}

void patience__begin(struct patience *patience)
{
	patience->since_ns = 0;
}

bool patience__is_over(struct patience *patience, const struct reading *reading)
{
	const uint64_t now_ns = monotonic_ns();
	const uint64_t progress = reading__cpu_ns(reading) + reading->nr_questions;

	if (!patience->since_ns || progress != patience->progress || !reading__is_idle(reading)) {
		patience->since_ns = now_ns;
		patience->progress = progress;
	}
	return now_ns - patience->since_ns >= patience->limit_ns;
}

void patience__lose(struct patience *patience)
{
	patience->limit_ns /= 2;
	if (patience->limit_ns < LEAST_NS)
		patience->limit_ns = LEAST_NS;
}
