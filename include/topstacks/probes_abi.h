/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of the contract (abi.h) that is about hits of tracepoints and probes, and about
 * allocations: what a hit weighs, where its arguments are, and which blocks live.
 */
#ifndef TOPSTACKS_PROBES_ABI_H
#define TOPSTACKS_PROBES_ABI_H

#include <linux/types.h>

/* ---- Tracepoints and probes: what a hit weighs, and which hits count ---- */

#define ABI_MAX_CONDITIONS 4

/* A number in a tracepoint's record, or among the registers at a probe. */
struct record_field {
	__u16 offset;
	__u8 size; /* 1, 2, 4 or 8 bytes; 0: there is no field */
	__u8 is_signed;
};

enum record_op {
	RECORD_EQUAL,
	RECORD_NOT_EQUAL,
	RECORD_LESS,
	RECORD_LESS_EQUAL,
	RECORD_GREATER,
	RECORD_GREATER_EQUAL,
	RECORD_BITS, /* any bit of the number is set */
};

struct record_condition {
	struct record_field field;
	__u32 op;     /* enum record_op */
	__u64 number; /* two's complement; compared as signed if the field is */
};

/* Settings of one event. A hit counts if it meets all conditions. */
struct hit_settings {
	struct record_field weight; /* size 0: a hit weighs 1 */
	__u32 nr_conditions;
	struct record_condition conditions[ABI_MAX_CONDITIONS];
};

/*
 * The attach cookie of a probe's perf event: the event's index, the index of its site, and the
 * process id (0: any process).
 */
#define PROBE_COOKIE(event, site, pid) \
	((__u64)(pid) << 32 | (__u32)(site) << 8 | ((__u32)(event)&0xff))
#define PROBE_COOKIE_EVENT(cookie) ((__u32)(cookie)&0xff)
#define PROBE_COOKIE_SITE(cookie)  ((__u32)(cookie) >> 8)
#define PROBE_COOKIE_PID(cookie)   ((__u32)((cookie) >> 32)) /* in our pid namespace */

/* ---- Probes that a program was built with (USDT): the location of an argument ---- */

enum probe_argument_kind {
	PROBE_ARGUMENT_CONSTANT, /* number is the value itself */
	PROBE_ARGUMENT_REGISTER,
	PROBE_ARGUMENT_MEMORY, /* memory of the program, at the register plus number */
};

struct probe_argument {
	__s64 number;
	/* in struct pt_regs, user_pt_regs on aarch64; always the 8-byte register */
	__u16 register_offset;
	__u8 kind; /* enum probe_argument_kind */
	__u8 size; /* 1, 2, 4 or 8 bytes */
	__u8 is_signed;
	__u8 padding[3];
};

/* ---- Allocations: see kern/alloc.bpf.c ---- */

#define ABI_MAX_ALLOC_SITES 64

/* A code address that is reached when the allocator has chosen a block for sampling. */
struct alloc_site {
	/* pointer and size of the block, and the bytes it stands for */
	struct probe_argument pointer, size, bytes;
	/* bytes allocated since the last chosen block, in all; constant 0: not told */
	struct probe_argument told;
	struct probe_argument
		/*
		 * sequence number of the block; at a free, of the newest block it may be; 0: not
		 * told
		 */
		number;
};

/* From this number on, an event's sites are calls: see kern/malloc.bpf.c. */
#define ABI_FIRST_CALL	     ABI_MAX_ALLOC_SITES
#define ABI_MAX_MALLOC_CALLS 64

/* An allocation function that is probed at its calls. */
struct malloc_call {
	struct probe_argument size,
		number; /* size times number is the bytes asked for; number may be the constant 1 */
	__u32 before;	/* bytes of its code before the probe */
	__u32 code_bytes;
};

/* State of a thread that kern/malloc.bpf.c samples. */
struct malloc_thread {
	__u64 left;		  /* bytes until the one that is sampled; 0: the thread is new */
	__u64 size, bytes;	  /* of its last call that was sampled */
	__u64 told, since;	  /* bytes allocated up to that call, and since then */
	__u64 stack, caller;	  /* of its last call: end of the stack, and return address */
	__u64 code, code_bytes;	  /* code of the function called */
	__u64 inner, inner_bytes; /* code of a second function, called by the first one; 0: none */
};

#define ABI_MAX_LIVE 262144 /* sampled blocks that are not freed yet */

struct live_key {
	__u64 process; /* the image, hash_process(), without its owner */
	__u64 pointer;
};

struct live_block {
	__u64 process; /* instance, as in the sample */
	__u64 user;    /* reference to the user stack, by its content */
	__u64 bytes, blocks;
	__u64 number;	  /* sequence number of the block within its process; 0: none */
	__u32 generation; /* generation in which the stack was stored */
	__u32 padding;
};

_Static_assert(sizeof(struct record_condition) == 16, "no silent padding");
_Static_assert(sizeof(struct hit_settings) == 72, "no silent padding");
_Static_assert(sizeof(struct probe_argument) == 16, "no silent padding");
_Static_assert(sizeof(struct alloc_site) == 80, "no silent padding");
_Static_assert(sizeof(struct malloc_call) == 40, "no silent padding");
_Static_assert(sizeof(struct malloc_thread) == 88, "no silent padding");
_Static_assert(sizeof(struct live_key) == 16, "no silent padding");
_Static_assert(sizeof(struct live_block) == 48, "no silent padding");

#endif
