/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that have a probe: a perf event each, in whose memory the kernel puts the breakpoint. To put one
 * in, or take it out, the kernel waits for some 50 ms. So what comes after the start is left to a thread, and
 * probes of the dead are taken out many at a time.
 *
 * Children do not inherit events (attr.inherit). Of the PMU "uprobe" the kernel would read the path from the memory
 * of the process that forks, and ask for that one's rights: its forks fail. Events defined in tracefs can be
 * inherited. But it lets siblings exchange events when they take turns on a CPU, and when the first of them ends, it
 * takes the breakpoint out of the other, and nobody learns of that (seen on 6.18: 1 to 4 % of hits).
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_PROBED_PROCESSES_H
#define TOPSTACKS_CAPTURE_PROBES_PROBED_PROCESSES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/host/event_link.h"

struct bpf_program;

#define PROBED_PROCESSES_MAX 256 /* at a time */

struct probe_request {
	const struct bpf_program *program;
	uint32_t pmu_type;
	int file;	    /* that is probed; stays open */
	uint64_t offset;    /* in the file */
	uint64_t semaphore; /* in the file: what is told that somebody looks; 0: nothing */
	bool is_of_returns;
	unsigned int event; /* its number */
	unsigned int site;  /* which of its places it is; 0 if it has one */
	int cpu;	    /* for all processes; -1: for one */
};

enum probing_state {
	PROBING_WAITS,	/* for the thread */
	PROBING_OPENS,	/* the thread is at it */
	PROBING_OPENED, /* or it could not be */
};

struct probed_process {
	struct probe_request request;
	int32_t pid; /* in our pid namespace; 0: all of them */
	enum probing_state state;
	bool has_ended;	   /* what is left of it will be closed */
	bool is_again;	   /* it has executed a program, or ended: opening it tells */
	uint64_t since_ns; /* CLOCK_MONOTONIC: it should have been probed */
	int fd;		   /* of the event; -1: none, or the link is one without it */
	void *ring; /* of nothing: without one the kernel does not tell when the event's thread is gone */
	struct event_link link;
};

struct probed_processes {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	bool has_thread, stops;
	struct probed_process list[PROBED_PROCESSES_MAX];
	size_t nr;
	uint64_t nr_late, late_ns; /* that had to wait, and how long; not taken yet */
};

/* Of events that are probes, for requests. 0 or negative errno with a sentence. */
int probed_processes__pmu_type(uint32_t *type, struct error *err);

/* Why a probe could not be put in: "cannot WHAT: ...". Returns code. */
int probed_processes__explain(int code, const char *what, struct error *err);

void probed_processes__init(struct probed_processes *processes);

/* Before the start, and waits. pid: 0: all. 0 or negative errno; -ESRCH: it is gone; -E2BIG: too many. */
int probed_processes__add(struct probed_processes *processes, const struct probe_request *request,
			  int32_t pid);

/* ---- what happened to them, at these times (CLOCK_MONOTONIC); nobody waits ---- */

/* If the parent is among them, so is the child. */
void probed_processes__forked(struct probed_processes *processes, int32_t pid, int32_t parent,
			      uint64_t time_ns);
/* By another thread than its first one, the probe is gone with that, and it gets another one. */
void probed_processes__executed(struct probed_processes *processes, int32_t pid, uint64_t time_ns);
void probed_processes__exited(struct probed_processes *processes, int32_t pid, uint64_t time_ns);

/* How many were probed late, or not at all, since the last call, and the time until then, together. */
void probed_processes__take_late(struct probed_processes *processes, uint64_t *nr, uint64_t *ns);

/* Takes all probes out, and waits for that. Twice is fine. */
void probed_processes__close(struct probed_processes *processes);

#endif
