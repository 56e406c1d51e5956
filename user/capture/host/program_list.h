/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF programs that are loaded in the kernel, and whether samples can hit them. */
#ifndef TOPSTACKS_CAPTURE_HOST_PROGRAM_LIST_H
#define TOPSTACKS_CAPTURE_HOST_PROGRAM_LIST_H

#include "base/common.h"

struct loaded_program {
	uint32_t id;
	uint32_t type; /* enum bpf_prog_type, perhaps a newer one than we know */
	char name[16]; /* chosen by the program's loader; "": none */
	uint64_t nr_runs;
	uint64_t run_ns; /* time of these runs, as far as statistics were on */
};

struct program_list {
	struct loaded_program *programs;
	size_t nr_programs, capacity;
	bool has_more; /* more programs exist than are listed */
	/*
	 * length of our own measurement; 0: the times are from any earlier statistics, perhaps none
	 */
	double measured_s;
};

/* Whether a sample can hit a program. */
enum program_reach {
	REACH_YES,
	REACH_NO,	/* perf event programs are blocked while it runs */
	REACH_OF_USERS, /* yes at probes of user programs, no at probes of the kernel */
};

/*
 * Returns the kernel's word for a type, "xdp", "sched_cls"; for an unknown type "type 99", in text.
 */
#define PROGRAM_KIND_SIZE 32
const char *program__kind(uint32_t type, char text[PROGRAM_KIND_SIZE]);
enum program_reach program__reach(uint32_t type);

/* Subtracts the runs and times in before, an earlier list, from the same programs. */
void program_list__subtract(struct program_list *list, const struct program_list *before);

/* Sorts by time, most first; equal ones in the order of loading. */
void program_list__rank(struct program_list *list);

void program_list__fini(struct program_list *list);

#endif
