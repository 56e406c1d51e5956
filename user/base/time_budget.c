// SPDX-License-Identifier: GPL-2.0-only
#include "base/time_budget.h"

#define SLICE_NS 50000000ULL /* at most this long until a signal is noticed */

static bool has_come(const struct time_budget *budget)
{
	return budget && (!budget->has_come || budget->has_come(budget->context));
}

uint64_t time_budget__wait_ns(const struct time_budget *budget)
{
	return has_come(budget) && budget->left_ns < SLICE_NS ? budget->left_ns : SLICE_NS;
}

void time_budget__spend(struct time_budget *budget, uint64_t waited_ns)
{
	if (has_come(budget))
		budget->left_ns -= waited_ns < budget->left_ns ? waited_ns : budget->left_ns;
}
