/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF programs that the kernel has loaded, as it tells of them; and which of them samples can hit. */
#ifndef TOPSTACKS_CAPTURE_HOST_PROGRAM_LIST_H
#define TOPSTACKS_CAPTURE_HOST_PROGRAM_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loaded_program {
	uint32_t id;
	uint32_t type; /* enum bpf_prog_type, perhaps one that we do not know */
	char name[16]; /* who loaded it chose it; "": none */
	uint64_t nr_runs;
	uint64_t run_ns; /* of these runs, as far as the kernel measured them */
};

struct program_list {
	struct loaded_program *programs;
	size_t nr_programs, capacity;
	bool has_more;	   /* than are listed */
	double measured_s; /* for so long; 0: whenever somebody had statistics on, perhaps never */
};

/* Whether a sample can fall into a program. */
enum program_reach {
	REACH_YES,
	REACH_NO,	/* it keeps programs of perf events out while it runs */
	REACH_OF_USERS, /* where it probes programs of users, not where it probes the kernel */
};

/* The kernel's word for a type: "xdp", "sched_cls"; "type 99" in text for one that has none here. */
#define PROGRAM_KIND_SIZE 32
const char *program__kind(uint32_t type, char text[PROGRAM_KIND_SIZE]);
enum program_reach program__reach(uint32_t type);

/* What is in before was measured earlier: takes it away from the same programs. */
void program_list__subtract(struct program_list *list, const struct program_list *before);

/* Those that took most of the time first; of equal ones that which was loaded first. */
void program_list__rank(struct program_list *list);

void program_list__fini(struct program_list *list);

#endif
