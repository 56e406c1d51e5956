/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names that perf has for events of every machine: of hardware ("cycles"), of its caches
 * ("L1-dcache-load-misses") and of the kernel ("page-faults"). That one has a name does not mean that
 * the machine at hand counts it.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_PERF_NAMES_H
#define TOPSTACKS_CAPTURE_EVENTS_PERF_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_NAME_SIZE 32

struct perf_name {
	char text[PERF_NAME_SIZE]; /* the first of its names: "cycles" of "cpu-cycles" */
	uint32_t type;		   /* PERF_TYPE_HARDWARE, _HW_CACHE, _SOFTWARE */
	uint64_t config;
};

/* False: perf has no such name, or one of those that are not offered here. */
bool perf_names__find(const char *name, struct perf_name *found);

/* The n-th of all names, other names of the same events included. False: there are no more. */
bool perf_names__get(size_t n, char text[PERF_NAME_SIZE]);

#endif
