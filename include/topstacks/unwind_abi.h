/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row of an unwind table: how to get from a frame to its caller at every pc from row.pc to the
 * next row's. Shared by the compiler of tables (user/unwind/), the BPF program that walks with
 * them, and tests.
 *
 * The rows of a table are sorted by pc, start at pc 0 and say nothing twice: a row differs from its
 * predecessor in pc and in rules. What no function covers has rows of its own (UNWIND_NONE), so
 * the row before a pc always speaks about that pc.
 *
 *	 0                   32                  48        56        64
 *	 | pc                | cfa_offset        | fp_offset | rules |
 *	                                         rules: | ra 2 | fp 2 | cfa 4 |
 *
 *	pc 0x11a0: CFA = sp + 16, fp at CFA - 16, return address at CFA - 8
 *	{.pc = 0x11a0, .cfa_offset = 2, .fp_offset = 2, .rules = UNWIND_SP | UNWIND_FP_AT_CFA << 4}
 *
 * CFA: the canonical frame address, the stack pointer of the caller once the call has returned.
 * sp and fp are rsp and rbp on x86-64, sp and x29 on aarch64. A word has 8 bytes.
 */
#ifndef TOPSTACKS_UNWIND_ABI_H
#define TOPSTACKS_UNWIND_ABI_H

#include <linux/types.h>

#define UNWIND_WORD  8
#define UNWIND_FAR   65536 /* words */
#define UNWIND_FARS  32
#define UNWIND_VASTS 256

struct unwind_row {
	__u32 pc;	  /* relative to the table's base */
	__s16 cfa_offset; /* n: words; UNWIND_PLT: the threshold */
	__u8 fp_offset;	  /* m: words */
	__u8 rules;	  /* a kind of each of the three enums below */
};

_Static_assert(sizeof(struct unwind_row) == 8, "a row has 8 bytes");

#define UNWIND_RULES(cfa, fp, ra) ((cfa) | (fp) << 4 | (ra) << 6)
#define UNWIND_CFA(rules)	  ((rules)&0xf)
#define UNWIND_FP(rules)	  ((rules) >> 4 & 3)
#define UNWIND_RA(rules)	  ((rules) >> 6)

/* How to get the CFA. From UNWIND_SIGNAL on, kinds say all: the rest of the row is 0. */
enum unwind_cfa {
	UNWIND_SP, /* sp + n */
	UNWIND_FP, /* fp + n */
	/*
	 * sp + (1 + k) * UNWIND_FAR + n: frames of half a megabyte to 16. m is in the lowest three bits of fp_offset, and k,
	 * below UNWIND_FARS, in the others.
	 */
	UNWIND_SP_FAR,
	/*
	 * sp + 2 * ((1 + k) * UNWIND_FAR + n): frames of 16 megabytes to 256, of an even number of words, as all are where they
	 * call. If fp is at CFA - m, m and k are as above, which suffices for 32 megabytes; else k is all of fp_offset.
	 */
	UNWIND_SP_VAST,
	/*
	 * As SP and FP, but maybe no call made this frame: the unwinder of exceptions leaves by writing where to over
	 * what it had saved, and Go's runtime has code call what that never called.
	 */
	UNWIND_SP_UNSURE,
	UNWIND_FP_UNSURE,
	UNWIND_SP_DEREF,   /* the word at sp + n */
	UNWIND_SP_DEREF_8, /* the word at sp + n, + 8: OpenSSL's assembly */
	UNWIND_FP_DEREF,   /* the word at fp + n: functions that realign their stack */
	UNWIND_FP_DEREF_8,
	UNWIND_PLT,    /* sp + 8, + 8 more once pc & 15 >= n: lazily bound PLT stubs */
	UNWIND_SIGNAL, /* the signal trampoline: all registers are in the ucontext at sp */
	UNWIND_NONE,   /* no function is known here */
	UNWIND_END,    /* the outermost frame: it has no return address */
	UNWIND_OTHER,  /* a rule that a row cannot hold, or a damaged one */
	UNWIND_CFAS,
};

_Static_assert(UNWIND_CFAS <= 16, "four bits");

/* Where the caller's fp is. */
enum unwind_fp {
	UNWIND_FP_SAME,	  /* still in the register */
	UNWIND_FP_AT_CFA, /* at CFA - m */
	UNWIND_FP_AT_FP,  /* at fp + m: functions that realign their stack */
	UNWIND_FP_LOST,	  /* nowhere that a row can name: the walk goes on without */
};

/* Where the return address is. */
enum unwind_ra {
	UNWIND_RA_AT_CFA, /* at CFA - 8: always so on x86-64 */
	/*
	 * Still in a register, so in the innermost frame only. aarch64: the link register. x86-64: rdi, or rdx if m is 1,
	 * into which vfork() pops it before the child gets the same stack.
	 */
	UNWIND_RA_LINK,
	UNWIND_RA_BESIDE, /* at CFA - m + 8, above the slot for fp: aarch64 */
	/* At sp + m, and fp, if it was saved, in the word below: aarch64, frames of more than 2 KB. */
	UNWIND_RA_ABOVE_SP,
};

/* What came of a step from a frame to its caller; of the last one: why the stack ends there. */
enum unwind_step {
	/*
	 * Registers are the caller's; its pc is one past the call: look up pc - 1. If that is
	 * UNWIND_NONE, then pc, and take unwind_row__of_made(): nobody called that frame.
	 */
	UNWIND_STEP_CALLER,
	/* Registers are those that a signal interrupted: look up pc itself. */
	UNWIND_STEP_INTERRUPTED,
	/* There is no caller: the stack is whole. */
	UNWIND_STEP_END,
	/* The rest: the walk stops short. Registers are unchanged. */
	UNWIND_STEP_NONE,	/* nothing is known about this pc */
	UNWIND_STEP_UNMAPPED,	/* nor about the mapping it is in: said by who looks up rows */
	UNWIND_STEP_OTHER,	/* a rule that no row can hold */
	UNWIND_STEP_UNREADABLE, /* a page of the stack is not there */
	UNWIND_STEP_LOST,	/* the frame pointer is needed, and a frame before had lost it */
	UNWIND_STEP_BACKWARDS,	/* the caller's frame would not be above this one */
	UNWIND_STEP_DEEP,	/* more frames than there is room for: said by who counts them */
	UNWIND_STEP_NO_ROOM,	/* there is a table, but no room for it: said by who knows */
	UNWIND_STEP_UNLISTED,	/* the process has more mappings than are listed: likewise */
	UNWIND_STEPS,
};

/* Of a frame: what a walk knows of it, and what a row leads to. */
struct unwind_registers {
	__u64 pc, sp, fp;
	__u64 link; /* aarch64: x30, x86-64: rdi; of the innermost frame and of one that a signal interrupted, else 0 */
	__u64 other_link; /* x86-64: rdx; neither is read of one that a signal interrupted */
	__u32 fp_lost;	  /* fp is not this frame's: rules that need it cannot be followed */
	__u32 sp_lost; /* aarch64: sp is not above this frame's, and that is all that is known of it */
};

#if defined(__aarch64__) || defined(__TARGET_ARCH_arm64)
#define UNWIND_HAS_LINK 1 /* a call leaves the return address in a register */
#endif

/*
 * What the BPF program looks up: process -> regions -> rows. Rows are in chunks, arrays of equal
 * size; a table with more rows than a chunk is split by address, which makes it several regions.
 *
 * A chunk ends in an index: entry UNWIND_CHUNK_ROWS + b is a copy of the first row of block b. So a
 * search reads a page or two of the index and then one block, which is kind to cold caches.
 */
#define UNWIND_CHUNK_SHIFT   16
#define UNWIND_CHUNK_ROWS    (1U << UNWIND_CHUNK_SHIFT)
#define UNWIND_BLOCK_SHIFT   6
#define UNWIND_BLOCK_ROWS    (1U << UNWIND_BLOCK_SHIFT)
#define UNWIND_CHUNK_BLOCKS  (UNWIND_CHUNK_ROWS / UNWIND_BLOCK_ROWS)
#define UNWIND_CHUNK_ENTRIES (UNWIND_CHUNK_ROWS + UNWIND_CHUNK_BLOCKS)

/*
 * Executable addresses of one process, all below 2^63 (so not the vsyscall page); regions of a
 * process are sorted and do not overlap.
 */
struct unwind_region {
	__u64 start, end;
	__u64 bias; /* pc of the rows = address - bias */
	__u32 chunk;
	__u32 first;	   /* in the chunk, of a block; its pc is not above any pc of the region */
	__u32 nr_rows;	   /* 0: there is no table for it, but code may run there */
	__u16 no_room;	   /* there would be one */
	__u16 interpreter; /* 1 + the index of struct interpreter of its file; 0: it is none */
};

/* The regions of one process. */
struct unwind_regions {
	__u32 first, nr;
	__u32 is_partial; /* the process has more */
	__u32 padding;
};

/* The rows of one table; a table of more rows than a chunk has several shards, by pc. */
struct unwind_shard {
	__u32 pc; /* the first that it speaks about */
	__u32 chunk, first, nr_rows;
};

/*
 * Where a file is mapped in whichever process, by what the kernel knows of the file: looked up for
 * addresses that are in no region of their process, or not yet. Zeros: the vDSO.
 */
struct unwind_mapping_key {
	__u64 inode, nr_bytes;
	__s64 modified_s;
	__u64 offset;	   /* in the file, bytes */
	__u32 modified_ns; /* below modified_s */
	__u32 major, minor;
	__u32 padding;
};

#define UNWIND_MAX_SHARDS 16 /* 1 M rows; a file with more waits for the regions of its process */

struct unwind_mapping {
	__s64 pc;	   /* of the table, at the mapping's first byte */
	__u32 nr_shards;   /* 0: it is known that there is no table */
	__u32 interpreter; /* as of a region */
	struct unwind_shard shards[UNWIND_MAX_SHARDS];
};

_Static_assert(sizeof(struct unwind_region) == 40, "no silent padding");
_Static_assert(sizeof(struct unwind_mapping_key) == 48, "no silent padding");
_Static_assert(sizeof(struct unwind_mapping) == 272, "no silent padding");

/* A process with more executable regions than this is walked by frame pointers beyond them. */
#define UNWIND_REGIONS_SHIFT 12

/* More rows than this make no table: 16 MB, a C++ program of some 500 MB. */
#define UNWIND_MAX_ROWS (1U << 21)

/* From sp in a signal trampoline to the interrupted registers in the struct ucontext. */
#ifdef UNWIND_HAS_LINK
#define UNWIND_SIGNAL_FP   544
#define UNWIND_SIGNAL_LINK 552
#define UNWIND_SIGNAL_SP   560
#define UNWIND_SIGNAL_PC   568
#else
#define UNWIND_SIGNAL_FP 120
#define UNWIND_SIGNAL_SP 160
#define UNWIND_SIGNAL_PC 168
#endif

#endif
