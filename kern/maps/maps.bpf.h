/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every map and every load-time setting. all_maps.bpf.c defines them; to the other files, which are
 * linked with it into one object, they are declarations.
 *
 * What is counted lives in two sets of five maps, one a generation; the programs write to the set
 * that session.generation names, user space owns the other: its slots and its log are mapped there, so to drain them
 * is to read memory. The inner maps are made, sized and
 * replaced by user space: the sizes below only shape them.
 */
#ifndef TOPSTACKS_KERN_MAPS_MAPS_BPF_H
#define TOPSTACKS_KERN_MAPS_MAPS_BPF_H

#include <bpf/bpf_helpers.h>
#include <linux/bpf.h>
#include <stdbool.h>

#include "maps/turns.bpf.h"
#include "topstacks/abi.h"
#include "topstacks/comm_pattern.h"
#include "topstacks/interpreter_abi.h"

#ifdef DEFINE_MAPS
#define SHARED
#define SETTING(type, name, value) const volatile type name = (value)
#define SETTINGS(type, name, nr)   const volatile type name[nr] = {}
#else
#define SHARED			   extern
#define SETTING(type, name, value) extern const volatile type name
#define SETTINGS(type, name, nr)   extern const volatile type name[nr]
#endif

/* The largest record that programs make by these settings. */
#define RECORD_WORDS RECORD_ROOM(sizeof(struct code_record) / 8)

SETTING(__u32, cfg_nr_cpus, 1); /* possible CPUs: see ledger_row() */
SETTING(__u32, cfg_nr_events, 1);
SETTING(__u32, cfg_timer_event, NO_EVENT);  /* that is due in equal steps of ns */
SETTING(__u32, cfg_switch_event, NO_EVENT); /* context switches */
SETTING(__u32, cfg_max_depth, 127);
SETTING(__u32, cfg_record_words, RECORD_WORDS); /* of a record of the log, in whole parts */
SETTINGS(__u32, cfg_first_home,
	 PROGRAM_CONTEXTS);	 /* of a context: that of the first CPU; see places.bpf.h */
SETTING(__u32, cfg_nr_homes, 1); /* places of each array of the store: see places.bpf.h */
SETTING(__u32, cfg_filter, FILTER_NONE);
SETTING(__u32, cfg_kinds, KIND_ID);	   /* who is of all these is a target */
SETTING(bool, cfg_follow_children, false); /* of processes of a kind that a child may not be of */
SETTING(__u32, cfg_nr_comms, 0);
SETTING(bool, cfg_user_stacks, true);
SETTING(bool, cfg_kernel_stacks, true);
SETTING(bool, cfg_by_thread, false);
SETTING(__u64, cfg_slice_ns,
	0); /* samples are told apart by such slices of time; 0: they are not */
SETTING(__u32, cfg_slice_mask, 0);	       /* the numbers of slices: see WHAT_SLICE() */
SETTING(bool, cfg_tells_owners, false);	       /* see owner.bpf.h */
SETTING(bool, cfg_follow_records, false);      /* see records.bpf.h */
SETTING(bool, cfg_follow_interpreters, false); /* see interpreter.bpf.h */
SETTING(bool, cfg_all_frames, false);	       /* those of the interpreters' own, too */
SETTING(bool, cfg_positions, false);	       /* of interpreted code: lines are asked for */
SETTING(__u32, cfg_page_shift, 12);
SETTING(bool, cfg_reads_kernel, true);	 /* there is bpf_probe_read_kernel(); see reads.bpf.h */
SETTING(__u64, cfg_address_mask, ~0ULL); /* of a return address, without its signature (aarch64) */
SETTING(__u64, cfg_hash_seed, 0);	 /* of stacks: programs choose their addresses */
SETTING(bool, cfg_never, false); /* code that is looked at, and never reached: see probes.bpf.h */

SETTINGS(struct hit_settings, cfg_hits, ABI_MAX_EVENTS); /* by event */

SETTING(__u32, cfg_live_event, NO_EVENT); /* of blocks that are not free: see alloc.bpf.c */

/* See waits.bpf.h. */
SETTING(__u32, cfg_wait_event, NO_EVENT);
SETTING(__u32, cfg_wall_event, NO_EVENT); /* the same, if it has samples of running threads, too */
SETTING(bool, cfg_locks_only, false);	  /* waits for locks, by their addresses */
SETTING(__u64, cfg_futex, 0);		  /* the number of that system call */
SETTING(bool, cfg_wakers, false);	  /* who ended a wait is told */
SETTING(bool, cfg_some_cpus, false);	  /* those of cfg_cpus */
SETTINGS(__u64, cfg_cpus, ABI_MAX_CPUS / 64);
SETTINGS(__u8, cfg_syscall_waits, SYSCALL_WAITS); /* enum wait_kind of each, or WAIT_BY_FILE */

SHARED struct program_session session;

struct inner_counts {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(key_size, sizeof(struct sample_key));
	__uint(value_size, sizeof(__u32));
	__uint(max_entries, 1);
};

struct inner_stacks {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 127 * sizeof(__u64));
	__uint(max_entries, 1);
};

struct inner_known {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(key_size, sizeof(__u64));
	__uint(value_size, sizeof(__u64));
	__uint(max_entries, 1);
};

/* BPF_F_INNER_MAP: sets may be of different sizes (5.10). */
struct inner_slots {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE | BPF_F_INNER_MAP);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct slot_block));
	__uint(max_entries, 1);
};

struct inner_log {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE | BPF_F_INNER_MAP);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, LOG_CHUNK_BYTES(RECORD_WORDS));
	__uint(max_entries, 1);
};

#define GENERATIONS_OF(inner)                             \
	struct {                                          \
		__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS); \
		__uint(max_entries, ABI_GENERATIONS);     \
		__uint(key_size, sizeof(__u32));          \
		__array(values, struct inner);            \
	}

SHARED GENERATIONS_OF(inner_counts)
counts SEC(".maps");
SHARED GENERATIONS_OF(inner_stacks)
stacks SEC(".maps");
SHARED GENERATIONS_OF(inner_known)
known SEC(".maps");
SHARED GENERATIONS_OF(inner_slots)
slots SEC(".maps");
SHARED GENERATIONS_OF(inner_log)
logs SEC(".maps");

/* By generation and context: see store.bpf.h. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, ABI_GENERATIONS *PROGRAM_CONTEXTS);
	__type(key, __u32);
	__type(value, struct store_cursors);
} cursors SEC(".maps");

/* Where a program makes a record of the log: one for each enum program_context. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PROGRAM_CONTEXTS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, RECORD_WORDS * 8); /* by depth, set before load */
} record_buffer SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, LEDGER_ROWS(1, 1)); /* of one CPU; set before load */
	__type(key, __u32);
	__type(value, struct ledger_cpu);
} ledger SEC(".maps");

/* See grace.bpf.h. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* a CPU each; set before load */
	__type(key, __u32);
	__type(value, struct passage);
} passages SEC(".maps");

/* See turns.bpf.h; of events that are counted. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, ABI_MAX_EVENTS);
	__type(key, __u32);
	__type(value, struct gathered);
} gathered SEC(".maps");

/* Only where there are several events. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct timer_phase);
} timer_phase SEC(".maps");

/* What a program copies of a user stack to walk it: one for each enum program_context. */
#define STACK_PIECE_WORDS 128

struct stack_piece {
	__u64 start, nr_bytes; /* where it was */
	__u64 pc, fp;	       /* of the frame whose record is next: see records.bpf.h */
	__u64 words[STACK_PIECE_WORDS +
		    1]; /* the verifier does not see that the last is not read */
};

SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PROGRAM_CONTEXTS);
	__type(key, __u32);
	__type(value, struct stack_piece);
} stack_pieces SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ABI_MAX_TARGETS);
	__type(key, __u32);
	__type(value, struct target_entry);
} targets SEC(".maps");

/* What the names mean that targets were asked for by: see judge.bpf.h. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_MAX_NAMES);
	__type(key, __u32);
	__type(value, struct comm_pattern);
} wanted_comms SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ABI_MAX_NAMES);
	__type(key, __u32);
	__type(value, __u32);
} wanted_users SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ABI_MAX_CGROUPS);
	__type(key, __u64);
	__type(value, __u32); /* KIND_CGROUP, KIND_CONTAINER or both */
} wanted_cgroups SEC(".maps");

/* Target threads that exited and are not freed yet. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ABI_MAX_DYING);
	__type(key, __u64);
	__type(value, struct dying_task);
} dying SEC(".maps");

#endif
