// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * stacks LEVELS [SECONDS [MICROSECONDS [nap|twice]]]: has 2^LEVELS distinct stacks, all of the same
 * depth and cost.
 *
 * At each level the path goes left or right: main → visit_leaves → root → L0 or R0 → L1 or R1 → ...
 * → leaf. Every leaf is visited once a round, in an order that jumps about. It uses the CPU for
 * MICROSECONDS (20 by default), or sleeps as long (nap). With "twice", LEVELS is 10 at most, and as
 * many levels follow that turn likewise, so that half of one stack and half of another are no
 * stack. At the end the program prints: {"levels": 10, "visits": 123456, "visited": 1024}
 */
#include "workload.h"

#define MAX_LEVELS 20

struct call_walk {
	uint32_t path; /* one bit a level, lowest first */
	unsigned int levels_left;
	uint64_t leaf_ns;
};

static bool naps;

static FRAME void leaf(struct call_walk walk)
{
	const struct timespec rest = {.tv_nsec = (long)walk.leaf_ns};

	if (naps)
		raw_syscall(SYS_nanosleep, (long)&rest, 0, 0);
	else
		spin(walk.leaf_ns);
	KEEP_FRAME();
}

#define SIDE(name, left, right)                                                               \
	static FRAME void name(struct call_walk walk)                                         \
	{                                                                                     \
		struct call_walk next = {walk.path >> 1, walk.levels_left - 1, walk.leaf_ns}; \
                                                                                              \
		if (!walk.levels_left)                                                        \
			leaf(walk);                                                           \
		else if (walk.path & 1)                                                       \
			right(next);                                                          \
		else                                                                          \
			left(next);                                                           \
		KEEP_FRAME();                                                                 \
	}
#define LEVEL(left, right, next_left, next_right) \
	SIDE(left, next_left, next_right)         \
	SIDE(right, next_left, next_right)

/* The levels are defined from the deepest up, so that each finds the next one declared. */
LEVEL(L19, R19, leaf, leaf)
LEVEL(L18, R18, L19, R19)
LEVEL(L17, R17, L18, R18)
LEVEL(L16, R16, L17, R17)
LEVEL(L15, R15, L16, R16)
LEVEL(L14, R14, L15, R15)
LEVEL(L13, R13, L14, R14)
LEVEL(L12, R12, L13, R13)
LEVEL(L11, R11, L12, R12)
LEVEL(L10, R10, L11, R11)
LEVEL(L9, R9, L10, R10)
LEVEL(L8, R8, L9, R9)
LEVEL(L7, R7, L8, R8)
LEVEL(L6, R6, L7, R7)
LEVEL(L5, R5, L6, R6)
LEVEL(L4, R4, L5, R5)
LEVEL(L3, R3, L4, R4)
LEVEL(L2, R2, L3, R3)
LEVEL(L1, R1, L2, R2)
LEVEL(L0, R0, L1, R1)
SIDE(root, L0, R0)

/*
 * Stands between main and root. While root is being entered, its caller is missed, which is this
 * one.
 */
static FRAME uint32_t visit_leaves(unsigned int levels, bool twice, uint64_t leaf_ns,
				   uint64_t deadline)
{
	uint32_t visits = 0;

	for (; !past(deadline); visits++) {
		/* An odd factor permutes the paths: each is taken once in 2^levels visits. */
		struct call_walk walk = {visits * 2654435761u % (1u << levels), levels, leaf_ns};

		if (twice)
			walk = (struct call_walk){walk.path | walk.path << levels, 2 * levels,
						  leaf_ns};
		root(walk);
	}
	return visits;
}

int main(int argc, char **argv)
{
	unsigned int levels = (unsigned int)argument(argc, argv, 1, 10);
	uint64_t deadline = workload_begin(argument(argc, argv, 2, WORKLOAD_MAX_SECONDS));
	uint64_t leaf_ns = (uint64_t)(argument(argc, argv, 3, 20) * 1000);
	const bool twice = argc > 4 && !strcmp(argv[4], "twice");
	uint32_t visits;

	if (levels * (twice ? 2 : 1) > MAX_LEVELS) {
		fprintf(stderr, "%s: at most %d levels\n", argv[0], MAX_LEVELS);
		return 2;
	}
	naps = argc > 4 && !twice;
	workload_ready();
	visits = visit_leaves(levels, twice, leaf_ns, deadline);
	printf("{\"levels\": %u, \"visits\": %u, \"visited\": %u}\n", levels, visits,
	       visits < 1u << levels ? visits : 1u << levels);
	return 0;
}
