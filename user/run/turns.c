// SPDX-License-Identifier: GPL-2.0-only
#include "run/turns.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "capture/events/sample.h"
#include "symbols/symbols.h"

static bool comes_last(struct symbols *symbols, const struct raw_stack *stack,
		       const struct process *process)
{
	return stack && process && symbols__comes_last(symbols, process);
}

int turns__leave(struct turns *turns, struct symbols *symbols, const struct raw_sample *raw)
{
	if (!comes_last(symbols, raw->user, raw->process) &&
	    !comes_last(symbols, raw->waker.user, raw->waker.process))
		return 0;
	if (array__reserve(&turns->left, &turns->capacity, turns->nr_left + 1))
		return -ENOMEM;
	turns->left[turns->nr_left++] = *raw;
	return 1;
}

void turns__fini(struct turns *turns)
{
	free(turns->left);
	*turns = (struct turns){0};
}
