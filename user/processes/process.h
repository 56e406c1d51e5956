/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes as capture sees them and symbols need them: who they are, and what happens to them.
 *
 * Pids are those of our own pid namespace wherever a user or /proc sees them.
 */
#ifndef TOPSTACKS_PROCESSES_PROCESS_H
#define TOPSTACKS_PROCESSES_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#define PROCESS_COMM_SIZE 16

/* Whose a process was when it was sampled, as far as that was asked for. */
enum process_owner {
	OWNER_UNKNOWN, /* nobody asked */
	OWNER_NOBODY, /* its ids differ, or whoever has them may not look into it, or it is the kernel's */
	OWNER_USER, /* uid is its real, effective and saved id, and who has it may look into it */
	OWNER_GONE, /* uid is likewise; of one that ends and has no memory any more, to look into */
};

/*
 * One program image of one process, of one owner. Two programs that exec one after the other under one pid are
 * two of these: exec_id tells them apart, as start_ns tells two processes that share a pid.
 */
struct process {
	uint64_t
		instance; /* hash of global pid, start and exec id, whoever owns it; 0: the idle task */
	uint64_t start_ns; /* CLOCK_BOOTTIME of the group leader's birth */
	uint64_t exec_id;
	uint64_t seen_ns;	  /* CLOCK_MONOTONIC of a sample of this image */
	uint64_t cgroup;	  /* id in the cgroup2 hierarchy; 0: not known */
	const char *cgroup_path;  /* NULL: not known */
	const char *command_line; /* its arguments, hostile; NULL: not known, or not asked for */
	int32_t pid;
	int32_t global_pid; /* in the kernel's first pid namespace */
	int32_t own_pid;    /* as it sees itself, in the innermost one; 0: not known */
	enum process_owner owner;
	uint32_t uid; /* of its owner, in the first user namespace; 0 if that is no user */
	bool kernel_thread;
	char comm[PROCESS_COMM_SIZE]; /* of the group leader; may not be terminated */
};

enum process_event_type {
	PROCESS_FORKED,	      /* pid came from parent, with a copy of its mappings */
	PROCESS_EXECED,	      /* pid runs a new program: all its mappings are gone */
	PROCESS_MAPPED,	      /* pid has a new mapping, which replaces what it overlaps */
	PROCESS_EXITED,	      /* the last thread of pid is gone */
	PROCESS_RECORDS_LOST, /* of any process: what is known must be read again */
};

/* An executable mapping. Bytes of path are the target's: hostile, bounded by PATH_MAX. */
struct mapping {
	uint64_t start;	 /* first address */
	uint64_t end;	 /* first address after it */
	uint64_t offset; /* of start in the file, in bytes */
	uint64_t inode;
	uint32_t major, minor; /* of the device, as the kernel shows it in maps */
	const char *path;      /* "" if anonymous; "[vdso]", "//anon" and such are not files */
	/*
	 * Of memory that may hold a copy of a file's text, at that text's own addresses: a mapping of the file, which tells
	 * where in it an address is. NULL: none.
	 */
	const struct mapping *original;
	bool is_head; /* such an original is the file's beginning, and not executable */
	bool is_beside; /* it only adjoins what is mapped of its original's file, as memory of others may */
};

/* Events of one process arrive in the order in which they happened. */
struct process_event {
	enum process_event_type type;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	int32_t pid;
	int32_t parent;		/* PROCESS_FORKED */
	struct mapping mapping; /* PROCESS_MAPPED; path is valid during the call only */
};

#endif
