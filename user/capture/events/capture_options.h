/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of a capture: what is sampled, and how. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_CAPTURE_OPTIONS_H
#define TOPSTACKS_CAPTURE_EVENTS_CAPTURE_OPTIONS_H

#include <sys/types.h>

#include "base/common.h"
#include "base/options/options.h"

struct readers;
struct spawner;

enum capture_scope {
	SCOPE_SYSTEM,
	SCOPE_NAMED,	 /* all processes that match names, now and later */
	SCOPE_PROCESSES, /* ids are process ids */
	SCOPE_THREAD,	 /* ids[0] is a thread id */
	SCOPE_COMMAND,	 /* ids[0] is our own child, sampled from its next exec on */
};

/* How user stacks are walked. */
enum unwinder {
	UNWINDER_AUTO, /* by tables if the kernel can, else by frame pointers */
	UNWINDER_FRAME_POINTERS,
	UNWINDER_TABLES, /* by tables; fails if the kernel cannot */
};

/* The frames that are shown of an interpreter and its language. */
enum shown_frames {
	FRAMES_PLAIN,  /* the language's frames, without the interpreter's own between them */
	FRAMES_ALL,    /* the frames of both */
	FRAMES_NATIVE, /* native frames only, as of any program */
};

/*
 * Names that select targets. Names of one kind are alternatives; kinds are combined by "and".
 * Borrowed.
 */
struct target_names {
	struct name_list comms;	     /* of processes, as shell patterns */
	struct name_list users;	     /* names or numbers */
	struct name_list cgroups;    /* paths; cgroups below them match, too */
	struct name_list containers; /* as container__matches() takes them */
};

struct capture_options {
	char *event; /* the argument of -e: "cpu"; NULL: "cpu" */
	enum capture_scope scope;
	const pid_t *ids; /* in our pid namespace */
	size_t nr_ids;
	struct target_names names; /* narrow the scope, unless it is a thread */
	bool follow_children;
	bool user_stacks, kernel_stacks;
	bool by_thread;
	bool code_lines;   /* record line numbers of interpreted code */
	uint64_t slice_ns; /* length of the time slices that samples are told apart by; 0: none */
	bool tells_owners; /* record owners of processes: see enum process_owner */
	bool wakers;	   /* record which thread ended a wait */
	bool program_time; /* let the kernel time BPF programs; costs about 20 ns for each run */
	bool program_time_if_may; /* the same if rights allow; otherwise the time reads 0 */
	bool is_bounded;  /* the rate may drop during the run: counted events are shown by weight */
	double max_share; /* CPU share that sampling may use; 0: no limit given */
	double rate_hz;	  /* for events with a rate; 0: there are none */
	const bool *cpus; /* by CPU number; NULL: all that are online */
	size_t nr_cpus;
	unsigned int max_depth;	  /* frames; lowered to kernel.perf_event_max_stack */
	size_t max_memory_bytes;  /* of all maps in the kernel, except unwind tables */
	size_t max_waiting_bytes; /* of drained samples that have no names yet; 0: 32 MB */
	enum unwinder unwinder;
	enum shown_frames frames;
	size_t max_unwind_bytes;   /* of unwind tables in the kernel */
	const char *alloc_library; /* library preloaded into commands for -e alloc; NULL: none */
	const int
		*alloc_program; /* the open file of a command that cannot preload that; else NULL */
	struct readers *readers; /* file readers for unwind tables; NULL: no tables */
	struct spawner *openers; /* of processes/opener.h; NULL: the sampler opens files itself */
};

static inline bool target_names__any(const struct target_names *names)
{
	return names->comms.nr_names || names->users.nr_names || names->cgroups.nr_names ||
	       names->containers.nr_names;
}

#endif
