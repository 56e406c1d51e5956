/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All maps and load-time settings. all_maps.bpf.c defines them; in all other files, which are
 * linked with it into one object, they are declarations.
 *
 * Counts live in two sets of five maps, one set for each generation. Programs write to the set that
 * session.generation names, user space owns the other one. Slots and log are mapped by user space,
 * so draining them is reading memory. User space creates, sizes and replaces the inner maps; the
 * sizes below are only templates.
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

/* The largest record of the log with any settings. */
#define RECORD_WORDS RECORD_ROOM(sizeof(struct code_record) / 8)

SETTING(__u32, cfg_nr_cpus, 1); /* possible CPUs: see ledger_row() */
SETTING(__u32, cfg_nr_events, 1);
/* the event that is a timer, due in equal steps of ns */
SETTING(__u32, cfg_timer_event, NO_EVENT);
SETTING(__u32, cfg_switch_event, NO_EVENT); /* the event of context switches */
SETTING(__u32, cfg_max_depth, 127);
SETTING(__u32, cfg_record_words, RECORD_WORDS); /* words of a log record, in whole parts */
SETTINGS(__u32, cfg_first_home,
	 PROGRAM_CONTEXTS);	 /* first home of each context; see places.bpf.h */
SETTING(__u32, cfg_nr_homes, 1); /* home places in each array of the store; see places.bpf.h */
SETTING(__u32, cfg_filter, FILTER_NONE);
SETTING(__u32, cfg_kinds, KIND_ID); /* a process of all these kinds is a target */
/* children of targets are targets, too, also of kinds (id, name) that an exec would end */
SETTING(bool, cfg_follow_children, false);
SETTING(__u32, cfg_nr_comms, 0);
SETTING(bool, cfg_user_stacks, true);
SETTING(bool, cfg_kernel_stacks, true);
SETTING(bool, cfg_by_thread, false);
SETTING(__u64, cfg_slice_ns,
	0); /* length of the slices that samples are told apart by; 0: no slices */
SETTING(__u32, cfg_slice_mask, 0);	       /* mask of slice numbers: see WHAT_SLICE() */
SETTING(bool, cfg_tells_owners, false);	       /* see owner.bpf.h */
SETTING(bool, cfg_follow_records, false);      /* see records.bpf.h */
SETTING(bool, cfg_follow_interpreters, false); /* see interpreter.bpf.h */
SETTING(bool, cfg_hands_over, false);	       /* see sample.bpf.h */
SETTING(bool, cfg_takes_over, false);
SETTING(bool, cfg_all_frames, false); /* keep native frames of interpreters, too */
SETTING(bool, cfg_positions, false);  /* record line positions of interpreted code */
SETTING(__u32, cfg_page_shift, 12);
SETTING(bool, cfg_reads_kernel, true); /* bpf_probe_read_kernel() exists; see reads.bpf.h */
/* address bits of a return address; the others may be a signature (aarch64) */
SETTING(__u64, cfg_address_mask, ~0ULL);
/* seed of hashes: sampled programs choose their addresses, and could make them collide */
SETTING(__u64, cfg_hash_seed, 0);
/* guards code that must be verified but never runs: see probes.bpf.h */
SETTING(bool, cfg_never, false);

SETTINGS(struct hit_settings, cfg_hits, ABI_MAX_EVENTS); /* by event */

SETTING(__u32, cfg_live_event, NO_EVENT); /* the event of live blocks: see alloc.bpf.c */

/* See waits.bpf.h. */
SETTING(__u32, cfg_wait_event, NO_EVENT);
/* as cfg_wait_event, if the event also samples running threads */
SETTING(__u32, cfg_wall_event, NO_EVENT);
SETTING(bool, cfg_locks_only, false); /* only waits for locks, by address */
SETTING(__u64, cfg_futex, 0);	      /* number of the system call futex */
SETTING(bool, cfg_wakers, false);     /* record the wakers of waits */
SETTING(bool, cfg_some_cpus, false);  /* only the CPUs in cfg_cpus */
SETTINGS(__u64, cfg_cpus, ABI_MAX_CPUS / 64);
/* enum wait_kind of each system call, or WAIT_BY_FILE */
SETTINGS(__u8, cfg_syscall_waits, SYSCALL_WAITS);

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

/* BPF_F_INNER_MAP: sets may differ in size (5.10). */
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

/* Buffers where programs build log records, one for each enum program_context. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PROGRAM_CONTEXTS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, RECORD_WORDS * 8); /* by depth, set before load */
} record_buffer SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, LEDGER_ROWS(1, 1)); /* for one CPU; set before load */
	__type(key, __u32);
	__type(value, struct ledger_cpu);
} ledger SEC(".maps");

/* See grace.bpf.h. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* one for each CPU; set before load */
	__type(key, __u32);
	__type(value, struct passage);
} passages SEC(".maps");

/* See turns.bpf.h; only for counted events. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, ABI_MAX_EVENTS);
	__type(key, __u32);
	__type(value, struct gathered);
} gathered SEC(".maps");

/* Created only if there are several events. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct timer_phase);
} timer_phase SEC(".maps");

/* Buffers for pieces of user stacks that are walked, one for each enum program_context. */
#define STACK_PIECE_WORDS 128

struct stack_piece {
	__u64 start, nr_bytes; /* the memory that was copied */
	__u64 pc, fp;	       /* of the frame whose record comes next: see records.bpf.h */
	__u64 words[STACK_PIECE_WORDS +
		    1]; /* one more, as the verifier cannot see that the last is never read */
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

/* The meaning of the names that select targets: see judge.bpf.h. */
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

/* Target threads that have exited and are not freed yet. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ABI_MAX_DYING);
	__type(key, __u64);
	__type(value, struct dying_task);
} dying SEC(".maps");

#endif
