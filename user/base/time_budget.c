// SPDX-License-Identifier: GPL-2.0-only
#include "base/time_budget.h"

#define SLICE_NS 50000000ULL /* at most this long until a signal is noticed */

static bool has_come(const struct hurry *hurry)
{
	return hurry && (!hurry->has_come || hurry->has_come(hurry->context));
}

uint64_t hurry__wait_ns(const struct hurry *hurry)
{
	return has_come(hurry) && hurry->left_ns < SLICE_NS ? hurry->left_ns : SLICE_NS;
}

void hurry__spend(struct hurry *hurry, uint64_t waited_ns)
{
	if (has_come(hurry))
		hurry->left_ns -= waited_ns < hurry->left_ns ? waited_ns : hurry->left_ns;
}
