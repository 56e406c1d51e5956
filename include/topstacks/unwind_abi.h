/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row of an unwind table: how to get from a frame to its caller at every pc from row.pc to the
 * next row's. Shared by the compiler of tables (user/unwind/), the BPF program that walks with
 * them, and tests.
 *
 * The rows of a table are sorted by pc, start at pc 0 and have no duplicates: a row differs from
 * its predecessor in pc and in rules. Code that no function covers has rows of its own
 * (UNWIND_NONE), so the row before a pc always applies to that pc.
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
	__s16 cfa_offset; /* n words; for UNWIND_PLT, the threshold */
	__u8 fp_offset;	  /* m words */
	__u8 rules;	  /* one kind of each of the three enums below */
};

_Static_assert(sizeof(struct unwind_row) == 8, "a row has 8 bytes");

#define UNWIND_RULES(cfa, fp, ra) ((cfa) | (fp) << 4 | (ra) << 6)
#define UNWIND_CFA(rules)	  ((rules)&0xf)
#define UNWIND_FP(rules)	  ((rules) >> 4 & 3)
#define UNWIND_RA(rules)	  ((rules) >> 6)

/* How to compute the CFA. From UNWIND_SIGNAL on, the rest of the row is 0. */
enum unwind_cfa {
	UNWIND_SP, /* sp + n */
	UNWIND_FP, /* fp + n */
	/*
	 * sp + (1 + k) * UNWIND_FAR + n: frames of half a megabyte to 16. fp_offset holds m in its
	 * lowest three bits and k, which is below UNWIND_FARS, in the others.
	 */
	UNWIND_SP_FAR,
	/*
	 * sp + 2 * ((1 + k) * UNWIND_FAR + n): frames of 16 to 256 megabytes, of an even
	 * number of words, as all frames that call have. If fp is at CFA - m, fp_offset holds m and
	 * k as above, which suffices for 32 megabytes; otherwise k is all of fp_offset.
	 */
	UNWIND_SP_VAST,
	/*
	 * As UNWIND_SP and UNWIND_FP, but perhaps no call made this frame: the exception unwinder
	 * leaves by overwriting saved values with the target address, and Go's runtime makes code
	 * look called that no code has called.
	 */
	UNWIND_SP_UNSURE,
	UNWIND_FP_UNSURE,
	UNWIND_SP_DEREF,   /* the word at sp + n */
	UNWIND_SP_DEREF_8, /* the word at sp + n, + 8: OpenSSL's assembly */
	UNWIND_FP_DEREF,   /* the word at fp + n: functions that realign their stack */
	UNWIND_FP_DEREF_8,
	UNWIND_PLT,    /* sp + 8, and 8 more if pc & 15 >= n: lazily bound PLT stubs */
	UNWIND_SIGNAL, /* signal trampoline: all registers are in the ucontext at sp */
	UNWIND_NONE,   /* no function covers this pc */
	UNWIND_END,    /* the outermost frame: it has no return address */
	UNWIND_OTHER,  /* the rule does not fit into a row, or is damaged */
	UNWIND_CFAS,
};

_Static_assert(UNWIND_CFAS <= 16, "four bits");

/* The location of the caller's fp. */
enum unwind_fp {
	UNWIND_FP_SAME,	  /* still in the register */
	UNWIND_FP_AT_CFA, /* at CFA - m */
	UNWIND_FP_AT_FP,  /* at fp + m: functions that realign their stack */
	UNWIND_FP_LOST,	  /* not in any place that a row can name: the walk goes on without fp */
};

/* The location of the return address. */
enum unwind_ra {
	UNWIND_RA_AT_CFA, /* at CFA - 8: always so on x86-64 */
	/*
	 * Still in a register, which happens only in the innermost frame. aarch64: the link
	 * register. x86-64: rdi, or rdx if m is 1: vfork() pops the return address into it before
	 * the child gets the same stack.
	 */
	UNWIND_RA_LINK,
	UNWIND_RA_BESIDE, /* at CFA - m + 8, above the slot for fp: aarch64 */
	/*
	 * At sp + m. fp, if it was saved, is in the word below. aarch64, frames of more than 2 KB.
	 */
	UNWIND_RA_ABOVE_SP,
};

/*
 * The result of a step from a frame to its caller; the result of the last step says why the stack
 * ends.
 */
enum unwind_step {
	/*
	 * Registers are the caller's. pc is one past the call: look up pc - 1. If that row is
	 * UNWIND_NONE, look up pc and use unwind_row__of_made(): the frame was made without a call.
	 */
	UNWIND_STEP_CALLER,
	/* Registers are those of code that a signal interrupted: look up pc itself. */
	UNWIND_STEP_INTERRUPTED,
	/* There is no caller: the stack is whole. */
	UNWIND_STEP_END,
	/* The others: the walk ends early. Registers are unchanged. */
	UNWIND_STEP_NONE,	/* no row covers this pc */
	UNWIND_STEP_UNMAPPED,	/* nor is the mapping known; set by the lookup of rows */
	UNWIND_STEP_OTHER,	/* a rule that no row can hold */
	UNWIND_STEP_UNREADABLE, /* a page of the stack is not there */
	UNWIND_STEP_LOST,	/* the rule needs fp, which an inner frame had lost */
	UNWIND_STEP_BACKWARDS,	/* the caller's frame would not be above this one */
	UNWIND_STEP_DEEP,	/* more frames than fit; set by the caller, which counts them */
	/* the file has a table, but the maps had no room for it; set by the lookup */
	UNWIND_STEP_NO_ROOM,
	/* the process has more mappings than the list holds; set by the lookup */
	UNWIND_STEP_UNLISTED,
	UNWIND_STEPS,
};

/* Registers of a frame, before and after a step. */
struct unwind_registers {
	__u64 pc, sp, fp;
	/* aarch64: x30, x86-64: rdi; of the innermost frame and of interrupted frames, else 0 */
	__u64 link;
	__u64 other_link; /* x86-64: rdx; neither is used in a frame that a signal interrupted */
	__u32 fp_lost;	  /* fp does not belong to this frame: rules that need it fail */
	__u32 sp_lost;	  /* aarch64: sp is only a lower bound: it is not above this frame's sp */
};

#if defined(__aarch64__) || defined(__TARGET_ARCH_arm64)
#define UNWIND_HAS_LINK 1 /* a call leaves the return address in a register */
#endif

/*
 * The lookup of the BPF program: process -> regions -> rows. Rows are in chunks, arrays of equal
 * size. A table with more rows than a chunk is split by address into several regions.
 *
 * A chunk ends in an index: entry UNWIND_CHUNK_ROWS + b is a copy of the first row of block b. A
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
	/*
	 * first row in the chunk, the start of a block; its pc is at or below any pc of the region
	 */
	__u32 first;
	__u32 nr_rows; /* 0: no table, but code may run there */
	__u16 no_room; /* the file has a table, but there was no room for it */
	/* 1 + index of the file's struct interpreter; 0: the file is no interpreter */
	__u16 interpreter;
};

/* The regions of one process. */
struct unwind_regions {
	__u32 first, nr;
	__u32 is_partial; /* the process has more regions than the map holds */
	__u32 padding;
};

/*
 * The rows of one table, or a part of them: a table with more rows than a chunk has several shards,
 * by pc.
 */
struct unwind_shard {
	__u32 pc; /* lowest pc of the shard */
	__u32 chunk, first, nr_rows;
};

/*
 * Key of a mapping of a file, the same in every process: what the kernel knows of the file. Looked
 * up for addresses in no region, or no region yet, of their process. All zeros: the vDSO.
 */
struct unwind_mapping_key {
	__u64 inode, nr_bytes;
	__s64 modified_s;
	__u64 offset;	   /* in the file, in bytes */
	__u32 modified_ns; /* the fraction of modified_s */
	__u32 major, minor;
	__u32 padding;
};

/* 1 M rows; for a file with more, walks need the regions of the process */
#define UNWIND_MAX_SHARDS 16

struct unwind_mapping {
	__s64 pc;	   /* pc in the table of the mapping's first byte */
	__u32 nr_shards;   /* 0: the file has no table, which is known */
	__u32 interpreter; /* as in struct unwind_region */
	struct unwind_shard shards[UNWIND_MAX_SHARDS];
};

_Static_assert(sizeof(struct unwind_region) == 40, "no silent padding");
_Static_assert(sizeof(struct unwind_mapping_key) == 48, "no silent padding");
_Static_assert(sizeof(struct unwind_mapping) == 272, "no silent padding");

/*
 * Regions of a process beyond this number are not listed: code there is walked by frame pointers.
 */
#define UNWIND_REGIONS_SHIFT 12

/*
 * A file with more rows gets no table. So many rows take 16 MB, as of a C++ program of some 500 MB.
 */
#define UNWIND_MAX_ROWS (1U << 21)

/* Offsets from sp in a signal trampoline to the interrupted registers in the struct ucontext. */
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
