/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernels that are known to be bad: one row a defect that a profiler can run into, with the kernels that have it and
 * what topstacks does about it. Distributions mend kernels without another version, so a row never refuses anything:
 * where the defect cannot be kept away from, it is told. The same rows are in docs/compatibility.md.
 */
#ifndef TOPSTACKS_CAPTURE_BAD_KERNELS_H
#define TOPSTACKS_CAPTURE_BAD_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct events;
struct features;

/* A release as one number that has the order of releases. */
#define KERNEL_RELEASE(major, minor, patch) ((major)*1000000U + (minor)*1000U + (patch))
#define KERNEL_NEVER			    UINT32_MAX

/* Runs that a defect concerns, by what they sample. */
enum bad_for {
	BAD_FOR_TIMERS = 1U << 0,      /* of the CPU clock */
	BAD_FOR_USER_STACKS = 1U << 1, /* that are walked in an interrupt */
	BAD_FOR_PROBES = 1U << 2,      /* of programs; allocations are some */
	BAD_FOR_SYSCALLS = 1U << 3,    /* the tracepoints of system calls */
};

enum bad_deed {
	BAD_AVOIDED, /* another way is taken, always */
	BAD_TOLD,    /* at the start of a run that is concerned */
	BAD_ASKED,   /* the kernel is asked by doing it, and what it says decides */
};

struct bad_range {
	uint32_t since, mended; /* releases; mended KERNEL_NEVER: in none that is known */
};

#define BAD_MAX_RANGES 6

struct bad_kernel {
	const char *name;			 /* unique */
	struct bad_range ranges[BAD_MAX_RANGES]; /* up to the first without since */
	const char *machine;			 /* of uname(2); NULL: all */
	const char *mark; /* what a release has in it besides: ".el9_3"; NULL: nothing */
	bool is_of_preemptible;
	unsigned int concerns; /* enum bad_for */
	enum bad_deed deed;
	const char *happens;
	const char *we;	    /* what topstacks does about it, or what its user can do */
	const char *mended; /* the commit that mended it, or a word */
	const char *source;
};

/* Ends in a row without a name. */
extern const struct bad_kernel bad_kernels__rows[];

/* The running kernel, as far as rows ask for it. */
struct kernel_identity {
	uint32_t number;   /* its release; 0: unknown */
	uint32_t most;	   /* the same; where the patch level is not told, the last of its series */
	char release[128]; /* uname -r */
	char machine[65];  /* uname -m */
	bool is_preemptible; /* it may be, from its start or after it: uname -v says PREEMPT */
};

/*
 * The kernel of /proc below the root of features; the machine is always ours. Many distributions say 6.1.0
 * whatever they have merged of the stable series: Debian's patch level is in uname -v ("Debian 6.1.76-1"), Ubuntu's in
 * /proc/version_signature ("Ubuntu 6.8.0-45.45-generic 6.8.12").
 */
struct kernel_identity kernel_identity__read(const struct features *features);

/* Whether this kernel has the defect, as far as its release tells. */
bool bad_kernels__has(const struct kernel_identity *identity, const struct bad_kernel *row);

/* enum bad_for of what is sampled. */
unsigned int bad_kernels__concern(const struct events *events, bool user_stacks);

/* "6.1.113 until 6.1.131, 6.13 and later, x86_64, preemptible". Returns text. */
const char *bad_kernels__describe(const struct bad_kernel *row, char *text, size_t size);

#endif
