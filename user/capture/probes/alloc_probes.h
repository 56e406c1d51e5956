/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes at the places where programs tell of blocks: put into each process that is named, or, into those that run a
 * command with the library, by its file.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_ALLOC_PROBES_H
#define TOPSTACKS_CAPTURE_PROBES_ALLOC_PROBES_H

#include <stdint.h>

#include "base/error.h"
#include "capture/probes/alloc_places.h"
#include "capture/probes/probe_set.h"

struct bpf_program;
struct process_event;
struct source_options;
struct topstacks_bpf;

/* Zeroed is closed. */
struct alloc_probes {
	struct alloc_places places;
	struct probe_set set; /* a probe a place */
	enum alloc_passage passage;
	unsigned int event; /* its number */
	uint32_t pmu_type;
	int cpu; /* of the events that are for all processes; -1: there is one for each process */
	bool follows_children;
};

/*
 * Finds the places of one kind: in our library, or for processes that are named in their own files, where there may be
 * none. 0 or negative errno with a sentence; alloc_probes__close is to be called all the same.
 */
int alloc_probes__open(struct alloc_probes *probes, enum alloc_passage passage,
		       const struct source_options *options, struct error *err);

/*
 * Has them run this program: for the library from now on, for processes from when they are added. 0 or negative errno
 * with a sentence.
 */
int alloc_probes__start(struct alloc_probes *probes, const struct topstacks_bpf *skeleton,
			const struct bpf_program *program, struct error *err);

/* As the verbs of source.h; of the library nothing is to be done. */
int alloc_probes__add_target(struct alloc_probes *probes, int32_t pid, struct error *err);
void alloc_probes__observe(struct alloc_probes *probes, const struct process_event *event);

/* Takes them out, and waits for that; twice is fine. */
void alloc_probes__stop(struct alloc_probes *probes);
void alloc_probes__close(struct alloc_probes *probes);

#endif
