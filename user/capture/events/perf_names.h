/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names that perf has for events of every machine: of hardware ("cycles"), of its caches
 * ("L1-dcache-load-misses") and of the kernel ("page-faults"). A name does not imply that this
 * machine counts the event.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_PERF_NAMES_H
#define TOPSTACKS_CAPTURE_EVENTS_PERF_NAMES_H

#include "base/common.h"

#define PERF_NAME_SIZE 32

struct perf_name {
	char text[PERF_NAME_SIZE]; /* its first name: "cycles" for "cpu-cycles" */
	uint32_t type;		   /* PERF_TYPE_HARDWARE, _HW_CACHE, _SOFTWARE */
	uint64_t config;
};

/* Returns false if perf has no such name, or the event is not offered here. */
bool perf_names__find(const char *name, struct perf_name *found);

/* Copies the n-th of all names, aliases included. Returns false after the last. */
bool perf_names__get(size_t n, char text[PERF_NAME_SIZE]);

#endif
