// SPDX-License-Identifier: GPL-2.0-only
#include "marks.h"

/* Single atomic operations suffice: a block has one owner, and handing it over orders memory. */
static uint8_t *count_of(struct marks *marks, const void *block)
{
	return &marks->counts[marks__hash(block) >> (64 - MARKS_COUNTS_BITS)];
}

/* Changes a count; at MARKS_FOR_EVER, which it may also reach from below, it stays. */
static void count(uint8_t *counter, int step)
{
	uint8_t before = __atomic_load_n(counter, __ATOMIC_RELAXED);

	do {
		if (before == MARKS_FOR_EVER)
			return;
	} while (!__atomic_compare_exchange_n(counter, &before, (uint8_t)(before + step), true,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* Replaces `from` by `to` in the first entry near its hash that holds it. */
static bool exchange(struct marks *marks, const void *block, uintptr_t from, uintptr_t to)
{
	uintptr_t *const places = &marks->places[marks__hash(block) >> (64 - MARKS_PLACES_BITS)];

	for (int i = 0; i < MARKS_NEAR; i++) {
		uintptr_t expected = from;

		if (__atomic_load_n(&places[i], __ATOMIC_RELAXED) == from &&
		    __atomic_compare_exchange_n(&places[i], &expected, to, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return true;
	}
	return false;
}

void marks__add(struct marks *marks, const void *block)
{
	if (exchange(marks, block, 0, (uintptr_t)block))
		count(count_of(marks, block), 1);
	else
		marks__add_for_ever(marks, block);
}

void marks__add_for_ever(struct marks *marks, const void *block)
{
	__atomic_store_n(count_of(marks, block), MARKS_FOR_EVER, __ATOMIC_RELAXED);
}

bool marks__remove(struct marks *marks, const void *block)
{
	uint8_t *const counter = count_of(marks, block);

	if (!block)
		return false;
	if (exchange(marks, block, (uintptr_t)block, 0)) {
		count(counter, -1);
		return true;
	}
	return __atomic_load_n(counter, __ATOMIC_RELAXED) == MARKS_FOR_EVER;
}
