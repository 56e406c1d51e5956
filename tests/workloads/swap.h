/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of libswap_small.so and libswap_large.so, which differ in ROOM only: what unwinds one of
 * them by the rules of the other goes astray.
 */
#include "workload.h"

static FRAME void swap_inner(void (*callback)(uint64_t ns), uint64_t ns)
{
	char room[ROOM];

	__asm__ volatile("" : : "r"(room) : "memory"); /* it is used */
	callback(ns);
	KEEP_FRAME();
}

FRAME void swap_outer(void (*callback)(uint64_t ns), uint64_t ns);
FRAME void swap_outer(void (*callback)(uint64_t ns), uint64_t ns)
{
	swap_inner(callback, ns);
	KEEP_FRAME();
}
