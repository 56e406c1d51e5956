/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes at the places where allocators report blocks. They are put into each named process, or,
 * for commands with our library, into the library's file for all processes.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_ALLOC_PROBES_H
#define TOPSTACKS_CAPTURE_PROBES_ALLOC_PROBES_H

#include "base/common.h"
#include "capture/probes/alloc_places.h"
#include "capture/probes/probe_set.h"

struct bpf_program;
struct process_event;
struct source_options;
struct topstacks_bpf;

/* Zeroed is closed. */
struct alloc_probes {
	struct alloc_places places;
	struct probe_set set; /* one probe for each place */
	enum alloc_passage passage;
	unsigned int event; /* number of the event */
	uint32_t pmu_type;
	/* CPU of the events that probe all processes; -1: each process has its own event */
	int cpu;
	bool follows_children;
};

/*
 * Finds the places of one kind: in our library, or, for named processes, in the files of these,
 * where there may be none. Returns 0 or negative errno with a sentence; call alloc_probes__close in
 * either case.
 */
int alloc_probes__open(struct alloc_probes *probes, enum alloc_passage passage,
		       const struct source_options *options, struct error *err);

/*
 * Makes the probes run this program: probes of the library at once, those of processes when they
 * are added. Returns 0 or negative errno with a sentence.
 */
int alloc_probes__start(struct alloc_probes *probes, const struct topstacks_bpf *skeleton,
			const struct bpf_program *program, struct error *err);

/* Implement the verbs of source.h. They do nothing if the library is probed. */
int alloc_probes__add_target(struct alloc_probes *probes, int32_t pid, struct error *err);
void alloc_probes__observe(struct alloc_probes *probes, const struct process_event *event);

/* Removes the probes and waits for that; calling it twice is fine. */
void alloc_probes__stop(struct alloc_probes *probes);
void alloc_probes__close(struct alloc_probes *probes);

#endif
