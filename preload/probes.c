// SPDX-License-Identifier: GPL-2.0-only
#include "probes.h"

/*
 * As <sys/sdt.h> has it, with an instruction of one byte on x86-64 whatever its version: on one of
 * five, optimised probes of some kernels overwrite what a leaf function keeps below its stack
 * pointer. Prelink may move a file; .stapsdt.base tells how far. No semaphore: a probe costs
 * nothing that is worth to ask.
 */
#define PROBE(provider, name, arguments, ...)                                                \
	__asm__ volatile(                                                                    \
		"990:	nop\n"                                                                 \
		"	.pushsection .note.stapsdt, \"\", \"note\"\n"                              \
		"	.balign 4\n"                                                               \
		"	.4byte 992f - 991f, 994f - 993f, 3\n"                                      \
		"991:	.asciz \"stapsdt\"\n"                                                  \
		"992:	.balign 4\n"                                                           \
		"993:	.8byte 990b, _.stapsdt.base, 0\n"                                      \
		"	.asciz \"" provider "\", \"" name "\", \"" arguments "\"\n"          \
		"994:	.balign 4\n"                                                           \
		"	.popsection\n"                                                             \
		"	.ifndef _.stapsdt.base\n"                                                  \
		"	.pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n" \
		"	.weak _.stapsdt.base\n"                                                    \
		"	.hidden _.stapsdt.base\n"                                                  \
		"_.stapsdt.base: .space 1\n"                                                 \
		"	.size _.stapsdt.base, 1\n"                                                 \
		"	.popsection\n"                                                             \
		"	.endif\n"                                                                  \
		:                                                                            \
		: __VA_ARGS__                                                                \
		: "memory")

/* Not inlined, so that arguments are in the registers in which a function gets them. */
#define PROBE_FUNCTION __attribute__((noinline, noclone, no_icf))

PROBE_FUNCTION void topstacks_begins(void)
{
	PROBE("topstacks", "begins", "", "i"(0));
}

PROBE_FUNCTION void topstacks_alloc_fired(void *block, uint64_t size, uint64_t weight,
					  uint64_t since, uint64_t number)
{
	PROBE("otel_memory", "alloc", "8@%0 8@%1 8@%2 8@%3 8@%4", "r"(block), "r"(size),
	      "r"(weight), "r"(since), "r"(number));
}

PROBE_FUNCTION void topstacks_ends(uint64_t since)
{
	PROBE("topstacks", "ends", "8@%0", "r"(since));
}

PROBE_FUNCTION void topstacks_free_fired(void *block, uint64_t nr_told)
{
	PROBE("otel_memory", "free", "8@%0 8@%1", "r"(block), "r"(nr_told));
}
