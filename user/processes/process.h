/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes as capture sees them and symbols need them: their identity, and events of them.
 *
 * Pids are those of our own pid namespace wherever a user or /proc sees them.
 */
#ifndef TOPSTACKS_PROCESSES_PROCESS_H
#define TOPSTACKS_PROCESSES_PROCESS_H

#include "base/common.h"

#define PROCESS_COMM_SIZE 16

/* The owner of a process when it was sampled, if that was asked for. */
enum process_owner {
	OWNER_UNKNOWN, /* not asked for */
	OWNER_NOBODY,  /* its ids differ, its user may not ptrace it, or it is the kernel's */
	OWNER_USER,    /* uid is its real, effective and saved id, and may ptrace it */
	OWNER_GONE, /* like OWNER_USER, but the process is exiting and has no memory to inspect */
};

/*
 * One program image of one process with one owner. Two programs executed one after the other under
 * one pid are two of these: exec_id tells them apart, as start_ns tells apart two processes that
 * share a pid.
 */
struct process {
	uint64_t
		instance; /* a hash of global pid, start, exec id, not of the owner; 0: idle task */
	uint64_t start_ns; /* CLOCK_BOOTTIME of the group leader's birth */
	uint64_t exec_id;
	uint64_t seen_ns;	  /* CLOCK_MONOTONIC of a sample of this image */
	uint64_t cgroup;	  /* id in the cgroup2 hierarchy; 0: not known */
	const char *cgroup_path;  /* NULL: not known */
	const char *command_line; /* its arguments, untrusted; NULL: not known, or not asked for */
	int32_t pid;
	int32_t global_pid; /* in the kernel's first pid namespace */
	int32_t own_pid;    /* in its innermost pid namespace; 0: not known */
	enum process_owner owner;
	uint32_t uid; /* of its owner, in the first user namespace; 0 without OWNER_USER */
	bool kernel_thread;
	char comm[PROCESS_COMM_SIZE]; /* of the group leader; may not be terminated */
};

enum process_event_type {
	PROCESS_FORKED,	      /* pid came from parent, with a copy of its mappings */
	PROCESS_EXECED,	      /* pid runs a new program: all its mappings are gone */
	PROCESS_MAPPED,	      /* pid has a new mapping, which replaces what it overlaps */
	PROCESS_EXITED,	      /* the last thread of pid is gone */
	PROCESS_RECORDS_LOST, /* of any process: known mappings must be read again */
};

/* An executable mapping. The path comes from the target: untrusted, bounded by PATH_MAX. */
struct mapping {
	uint64_t start;	 /* first address */
	uint64_t end;	 /* first address after it */
	uint64_t offset; /* file offset of start, in bytes */
	uint64_t inode;
	uint32_t major, minor; /* of the device, as the kernel shows it in maps */
	const char *path;      /* "" if anonymous; "[vdso]", "//anon" and such are not files */
	/*
	 * For memory that may hold a copy of a file's text, at the text's own addresses: a mapping
	 * of that file, which relates addresses to file offsets. NULL: none.
	 */
	const struct mapping *original;
	bool is_head;	/* original is the beginning of the file, and not executable */
	bool is_beside; /* it only adjoins the mappings of original's file, as unrelated memory
			 * may */
};

/* An event of a process. Events of one process arrive in order. */
struct process_event {
	enum process_event_type type;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	int32_t pid;
	int32_t parent;		/* PROCESS_FORKED */
	struct mapping mapping; /* PROCESS_MAPPED; path is valid during the call only */
};

#endif
