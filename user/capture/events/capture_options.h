/* SPDX-License-Identifier: GPL-2.0-only */
/* What is to be sampled, and how. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_CAPTURE_OPTIONS_H
#define TOPSTACKS_CAPTURE_EVENTS_CAPTURE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/options/options.h"

struct readers;
struct spawner;

enum capture_scope {
	SCOPE_SYSTEM,
	SCOPE_NAMED,	 /* whoever the names mean, now and later */
	SCOPE_PROCESSES, /* ids are process ids */
	SCOPE_THREAD,	 /* ids[0] is a thread id */
	SCOPE_COMMAND,	 /* ids[0] is our own child, sampled from its next exec on */
};

/* How user stacks are walked. */
enum unwinder {
	UNWINDER_AUTO, /* by tables where the kernel can */
	UNWINDER_FRAME_POINTERS,
	UNWINDER_TABLES, /* or not at all */
};

/* Of an interpreter and the language that it runs. */
enum shown_frames {
	FRAMES_PLAIN,  /* the language's, and none of the interpreter's own file between them */
	FRAMES_ALL,    /* both */
	FRAMES_NATIVE, /* as if it were a program like others */
};

/* Several names of a kind widen, several kinds narrow; borrowed. */
struct target_names {
	struct name_list comms;	     /* of processes, as shell patterns */
	struct name_list users;	     /* names or numbers */
	struct name_list cgroups;    /* paths; all that is in them, too */
	struct name_list containers; /* as container__matches() has it */
};

struct capture_options {
	char *event; /* as the user says it: "cpu"; NULL: that */
	enum capture_scope scope;
	const pid_t *ids; /* in our pid namespace */
	size_t nr_ids;
	struct target_names names; /* narrow the scope, unless it is a thread */
	bool follow_children;
	bool user_stacks, kernel_stacks;
	bool by_thread;
	bool code_lines;   /* of interpreted code are asked for */
	uint64_t slice_ns; /* samples are told apart by slices of so much time; 0: they are not */
	bool tells_owners; /* of processes: see enum process_owner */
	bool wakers;	   /* who ended a wait is told with it */
	bool program_time; /* let the kernel time its programs, which costs each run about 20 ns */
	bool program_time_if_may; /* the same where we may; else it counts as no time */
	bool is_bounded;  /* less and less may be sampled: what is counted is told by its weight */
	double max_share; /* of a CPU, that sampling may take; 0: nobody has said */
	double rate_hz;	  /* of the events that have one; 0: none has */
	const bool *cpus; /* by CPU number; NULL: all that are online */
	size_t nr_cpus;
	unsigned int max_depth;	 /* frames; lowered to kernel.perf_event_max_stack */
	size_t max_memory_bytes; /* of all maps in the kernel, but those of unwind tables */
	enum unwinder unwinder;
	enum shown_frames frames;
	size_t max_unwind_bytes;   /* of unwind tables in the kernel */
	const char *alloc_library; /* that commands get for -e alloc; NULL: none */
	const int
		*alloc_program; /* a command's file, for reading, if it cannot have that; or NULL */
	struct readers *readers; /* of files, for their tables; NULL: none has one */
	struct spawner *openers; /* of processes/opener.h; NULL: files are opened by the sampler */
};

static inline bool target_names__any(const struct target_names *names)
{
	return names->comms.nr_names || names->users.nr_names || names->cgroups.nr_names ||
	       names->containers.nr_names;
}

#endif
