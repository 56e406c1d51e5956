/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that have a probe. Each has a perf event, for which the kernel puts a breakpoint
 * into its memory. The kernel waits some 50 ms to put a probe in or to remove it. So a thread does
 * this after the start, and probes of dead processes are removed many at a time.
 *
 * Children do not inherit events (attr.inherit). With the PMU "uprobe" the kernel would read the
 * path from the memory of the forking process, with that process's rights, and its forks would
 * fail. Events defined in tracefs can be inherited. But the kernel lets siblings exchange events
 * when they take turns on a CPU; when the first of them ends, it removes the breakpoint from the
 * other one, unnoticed (seen on 6.18: 1 to 4 % of hits).
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_PROBED_PROCESSES_H
#define TOPSTACKS_CAPTURE_PROBES_PROBED_PROCESSES_H

#include <pthread.h>

#include "base/common.h"
#include "capture/host/event_link.h"

struct bpf_program;
struct process_event;

#define PROBED_PROCESSES_MAX 256 /* at a time */

struct probe_request {
	const struct bpf_program *program;
	uint32_t pmu_type;
	int file;	 /* the probed file; stays open */
	uint64_t offset; /* in the file */
	/* offset in the file of a counter that tells the program that a probe is there; 0: none */
	uint64_t semaphore;
	bool is_of_returns;
	unsigned int event; /* number of the event */
	unsigned int site;  /* number of the event's site; 0 if it has one only */
	/* CPU of an event for all processes; -1: the event is for one process */
	int cpu;
};

enum probing_state {
	PROBING_WAITS,	/* queued for the thread */
	PROBING_OPENS,	/* the thread is opening it */
	PROBING_OPENED, /* open, or failed */
};

struct probed_process {
	struct probe_request request;
	int32_t pid; /* in our pid namespace; 0: all processes */
	enum probing_state state;
	bool has_ended; /* the process is gone; the probe will be closed */
	/* the process was probed before its last exec; opening tells if it has ended */
	bool is_again;
	uint64_t since_ns; /* CLOCK_MONOTONIC, since when it should have a probe */
	int fd;		   /* the event; -1: none, or a link without an event */
	/* unused ring: only with one the kernel reports that the event's thread is gone */
	void *ring;
	struct event_link link;
};

struct probed_processes {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	bool has_thread, stops;
	struct probed_process list[PROBED_PROCESSES_MAX];
	size_t nr;
	/* processes probed late or never, and the delay; since the last take_late */
	uint64_t nr_late, late_ns;
};

/*
 * Reads the number of the kernel's PMU for uprobes, which struct probe_request takes. Returns 0 or
 * negative errno with a sentence.
 */
int probed_processes__pmu_type(uint32_t *type, struct error *err);

/* Explains why a probe could not be put in: "cannot WHAT: ...". Returns code. */
int probed_processes__explain(int code, const char *what, struct error *err);

void probed_processes__init(struct probed_processes *processes);

/*
 * Puts in the probe and waits; call it before the start. pid 0: all processes. Returns 0 or
 * negative errno; -ESRCH: the process is gone; -E2BIG: too many processes.
 */
int probed_processes__add(struct probed_processes *processes, const struct probe_request *request,
			  int32_t pid);

/*
 * Reports an event of a process, and does not wait. If follows_children, the child of a probed
 * process gets the probe. If a thread other than the leader calls exec, the kernel drops the probe;
 * this puts it in again.
 */
void probed_processes__observe(struct probed_processes *processes,
			       const struct process_event *event, bool follows_children);

/*
 * Takes the number of processes probed late or never since the last call, and the sum of their
 * delays.
 */
void probed_processes__take_late(struct probed_processes *processes, uint64_t *nr, uint64_t *ns);

/* Removes all probes and waits for that. Calling it twice is fine. */
void probed_processes__close(struct probed_processes *processes);

#endif
