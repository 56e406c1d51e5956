/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's records of mmap2, comm, fork and exit, in order of time. Each CPU has a dummy event
 * and a ring; records taken from the rings are sorted here.
 */
#ifndef TOPSTACKS_CAPTURE_TASKS_PROCESS_RECORDS_H
#define TOPSTACKS_CAPTURE_TASKS_PROCESS_RECORDS_H

#include "base/common.h"

struct perf_event_header;
struct process_records;

/*
 * is_prompt: the descriptor is readable at each record, not only when many wait. Returns 0 or
 * negative errno.
 */
int process_records__open(struct process_records **records, bool is_prompt);
/* NULL is fine. */
void process_records__close(struct process_records *records);

/* As sideband__follow_cpu. */
int process_records__follow_cpu(struct process_records *records, unsigned int cpu, bool is_online);

/*
 * Returns an epoll descriptor, readable when a ring is a quarter full, or at each record if
 * is_prompt.
 */
int process_records__fd(const struct process_records *records);

/* Takes the waiting records from the rings. Returns 0, or -ENOMEM if some remain. */
int process_records__collect(struct process_records *records);

struct timed_record {
	const struct perf_event_header *header; /* valid until more is collected */
	size_t nr_bytes;			/* with the header */
	uint64_t time_ns;			/* CLOCK_MONOTONIC */
};

/*
 * Takes the oldest collected record that is not newer than the horizon. Returns false if there is
 * none.
 */
bool process_records__next(struct process_records *records, uint64_t horizon_ns,
			   struct timed_record *record);

/* Returns the number of records lost since the last call. */
uint64_t process_records__take_lost(struct process_records *records);

#endif
