/* SPDX-License-Identifier: GPL-2.0-only */
/* The maps that walks by unwind tables look at, as maps.bpf.h has the others. */
#ifndef TOPSTACKS_KERN_MAPS_UNWIND_MAPS_BPF_H
#define TOPSTACKS_KERN_MAPS_UNWIND_MAPS_BPF_H

#include <bpf/bpf_helpers.h>

#include "maps/kernel_types.bpf.h"
#include "maps/maps.bpf.h"
#include "topstacks/interpreter_abi.h"
#include "topstacks/unwind_abi.h"

struct inner_unwind_rows {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct unwind_row));
	__uint(max_entries, UNWIND_CHUNK_ENTRIES);
};

SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 256);
	__uint(key_size, sizeof(__u32));
	__array(values, struct inner_unwind_rows);
} unwind_chunks SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 65536);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct unwind_region));
} unwind_regions SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(__u64));
	__uint(value_size, sizeof(struct unwind_regions));
} unwind_procs SEC(".maps");

SHARED struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2048);
	__uint(key_size, sizeof(struct unwind_mapping_key));
	__uint(value_size, sizeof(struct unwind_mapping));
} unwind_mappings SEC(".maps");

/* What is read of the kernel's structs lies in their first bytes. */
#define HEAD_BYTES 256

/* Not on the stack, which has 512 bytes for all functions together. */
struct tree_walk {
	union {
		struct maple_range_64 range;
		struct maple_arange_64 arange;
		char head[HEAD_BYTES];
	} node;
	struct unwind_mapping_key key;
};

SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PROGRAM_CONTEXTS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct tree_walk));
} unwind_tree SEC(".maps");

/* Whether the process's regions are listed, which most walks need not know. */
enum list_state {
	LISTING_UNASKED,
	LISTING_NONE,
	LISTING_FOUND,
};

/* What is told of the native frame at hand. */
enum walk_phase {
	PHASE_NATIVE,	   /* nothing yet */
	PHASE_INTERPRETED, /* it is an interpreter's loop, whose frames are being told */
	PHASE_TOLD,
};

/* A region that the kernel told of before; it is as it was while the process's mappings are. */
struct told_region {
	__u64 process;
	__u64 mappings; /* the state of the process's */
	struct unwind_region region;
	__u32 epoch; /* session.tables_epoch */
};

#define TOLD_REGIONS_SHIFT 3

/*
 * A row that was searched for before: most frames of a sample are those of samples before. place: the pc that was
 * looked up, and the table. row.pc: session.tables_epoch of that time, as nobody asks for the row's own pc.
 */
struct found_row {
	__u64 place;
	struct unwind_row row;
};

#define FOUND_ROWS_SHIFT 8

/* Not on the stack either. What is read at each frame lies together. */
struct unwind_walk {
	struct unwind_registers registers;
	struct unwind_region region; /* the last one used */
	struct unwind_row row;	     /* of the frame at hand */
	__u64 key, check;	     /* hashes of the frames so far */
	__u64 process;
	__u16 is_mapped;  /* a region is known for the pc */
	__u16 context;	  /* enum program_context */
	__u32 nr_frames;  /* that are told */
	__u32 nr_natives; /* that were walked */
	__u32 nr_guessed;
	__u32 end;
	__u16 phase;
	__u8 met_loop;	/* an interpreter's: the map interpreted is this walk's */
	__u8 listing;	/* enum list_state */
	__u32 epoch;	/* session.tables_epoch when the walk began */
	__u64 mappings; /* the state of the process's then; 0: nobody knows when they change */
	struct unwind_region left;     /* the walk was in it, and may come back */
	struct unwind_regions regions; /* as listed */
	/* From here on it is of all walks. */
	struct told_region told[1 << TOLD_REGIONS_SHIFT];
	struct found_row found[1 << FOUND_ROWS_SHIFT];
};

SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PROGRAM_CONTEXTS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct unwind_walk));
} walks SEC(".maps");

/* ---- Interpreters: see interpreter.bpf.h ---- */

/* By number, which user space gives to a file. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, INTERPRETERS_MAX);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct interpreter));
} interpreters SEC(".maps");

/* What a walk knows of an interpreter. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PROGRAM_CONTEXTS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, INTERPRETED_BYTES(127)); /* by depth, set before load */
} interpreted SEC(".maps");

#endif
