/* SPDX-License-Identifier: GPL-2.0-only */
/* The maps that walks by unwind tables read; defined as those in maps.bpf.h. */
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

/* The fields of kernel structs that are read lie within so many first bytes. */
#define HEAD_BYTES 256

/*
 * Scratch of a tree search. It is not on the stack, which has 512 bytes for all functions together.
 */
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

/* Whether the process has a list of regions; most walks never look. */
enum list_state {
	LISTING_UNASKED,
	LISTING_NONE,
	LISTING_FOUND,
};

/* Progress with the current native frame. */
enum walk_phase {
	PHASE_NATIVE,	   /* not added to the stack yet */
	PHASE_INTERPRETED, /* a loop of an interpreter, whose frames are being added */
	PHASE_TOLD,
	PHASE_HANDED_OVER, /* an interpreter's code, for another program to go on with */
};

/* A cached region. It is valid as long as the process's mappings do not change. */
struct told_region {
	__u64 process;
	__u64 mappings; /* read_state() of the process when it was cached */
	struct unwind_region region;
	__u32 epoch; /* session.tables_epoch */
};

#define TOLD_REGIONS_SHIFT 3

/*
 * A cached search for a row: most frames occur in many samples. place: the pc and the table.
 * row.pc: session.tables_epoch of that time, in place of the row's own pc, which is not needed.
 */
struct found_row {
	__u64 place;
	struct unwind_row row;
};

#define FOUND_ROWS_SHIFT 8

/* State of a walk; not on the stack either. Members that each frame needs are adjacent. */
struct unwind_walk {
	struct unwind_registers registers;
	struct unwind_region region; /* the last one used */
	struct unwind_row row;	     /* of the current frame */
	__u64 key, check;	     /* hashes of the frames so far */
	__u64 process;
	__u8 is_mapped;	  /* a region is known for pc */
	__u8 bare;	  /* enum unwind_bare: how the row was found where no table has one */
	__u16 context;	  /* enum program_context */
	__u32 nr_frames;  /* frames added to the stack */
	__u32 nr_natives; /* native frames walked */
	__u32 nr_guessed;
	__u32 end;
	__u16 phase;
	/* an interpreter's loop was met: the map interpreted belongs to this walk */
	__u8 met_loop;
	__u8 listing;	  /* enum list_state */
	__u32 generation; /* of a sample that is handed over */
	__u32 epoch;	  /* session.tables_epoch when the walk began */
	/* state of the process's mappings at the begin; 0: the kernel does not report changes */
	__u64 mappings;
	/* the region before the last one; the walk may return to it */
	struct unwind_region left;
	struct unwind_regions regions; /* list of the process's regions */
	/* The members from here on are kept across walks. */
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

/* By number; user space assigns the numbers to files. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, INTERPRETERS_MAX);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct interpreter));
} interpreters SEC(".maps");

/* The program that takes walks over: see sample.bpf.h. User space loads it. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} taking_over SEC(".maps");

/* State of a walk in interpreted code. */
SHARED struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PROGRAM_CONTEXTS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, INTERPRETED_BYTES(127)); /* by depth, set before load */
} interpreted SEC(".maps");

#endif
