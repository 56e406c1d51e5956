/* SPDX-License-Identifier: GPL-2.0-only */
/* Interfaces between the files of this folder alone. */
#ifndef TOPSTACKS_CAPTURE_TASKS_INTERNAL_H
#define TOPSTACKS_CAPTURE_TASKS_INTERNAL_H

#include "base/common.h"

struct comm_pattern;
struct perf_event_header;
struct process_records;
struct task_record;
struct wanted_names;

/*
 * ---- process_records.c: the kernel's records of mmap2, comm, fork and exit, in order of time ----
 *
 * Each CPU has a dummy event and a ring; records taken from the rings are sorted.
 */

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

/* Takes the waiting records from the rings. */
void process_records__collect(struct process_records *records);

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

/*
 * ---- process_ends.c: detects the end of processes ----
 *
 * The kernel records the exit of each thread; a process has ended when its last thread has, which
 * need not be the leader, and only the leader's exit has a record that we keep.
 *
 * If a process was seen to begin and made no thread, the leader's exit is its end. For all others
 * /proc is polled.
 */

struct process_ends {
	struct map single;     /* pids of processes with surely one thread */
	struct map leaderless; /* pids whose leader has exited; other threads may remain */
};

void process_ends__init(struct process_ends *ends);
/* Zeroed is fine. */
void process_ends__fini(struct process_ends *ends);

/*
 * Notes a new process. Returns true if an earlier process with this id must have ended unnoticed.
 */
bool process_ends__forked(struct process_ends *ends, int32_t pid);

/* Notes that the process made a thread. */
void process_ends__cloned(struct process_ends *ends, int32_t pid);

/* Notes an exec: the process now has one thread, which is its leader. */
void process_ends__execed(struct process_ends *ends, int32_t pid);

/*
 * Notes the leader's exit. Returns true if the process has ended; false: collect finds out later.
 */
bool process_ends__leader_exited(struct process_ends *ends, int32_t pid);

/* Reports the processes that have ended since the last call. */
void process_ends__collect(struct process_ends *ends, void (*on_end)(void *context, int32_t pid),
			   void *context);

/* Call it when records were lost: any process may have made a thread unnoticed. */
void process_ends__doubt(struct process_ends *ends);

/* ---- comm_patterns.c: shell patterns of process names, for the kernel ---- */

/*
 * Compiles a pattern (topstacks/comm_pattern.h) that matches like fnmatch(3) without flags, in
 * single bytes. The kernel keeps 15 characters of a name, so a longer text without wildcards is cut
 * to its first 15. Returns 0; -E2BIG: too many elements.
 */
int comm_pattern__make(struct comm_pattern *pattern, const char *text);

/* ---- no_match.c: no process matches the names; the reason, and names that exist ---- */

/* Explains a name that does not exist here. Fills err (EXIT_USAGE) and returns -ESRCH. */
int no_match__has_name(const struct wanted_names *wanted, const struct task_record *processes,
		       size_t nr_processes, struct error *err);

/*
 * Explains that no process has all these kinds (enum target_kind). Fills err (EXIT_USAGE) and
 * returns -ESRCH.
 */
int no_match__is_all(const struct wanted_names *wanted, uint32_t kinds,
		     const struct task_record *processes, size_t nr_processes, struct error *err);

#endif
