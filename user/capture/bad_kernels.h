/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernels with known defects: one row for each defect that a profiler can run into, with the
 * kernels that have it and the way topstacks deals with it. Distributions mend kernels without
 * changing the version, so a row never refuses anything. A defect that cannot be avoided is
 * reported. docs/compatibility.md has the same rows.
 */
#ifndef TOPSTACKS_CAPTURE_BAD_KERNELS_H
#define TOPSTACKS_CAPTURE_BAD_KERNELS_H

#include "base/common.h"

struct events;
struct features;

/* A release as one number; numbers sort as releases do. */
#define KERNEL_RELEASE(major, minor, patch) ((major)*1000000U + (minor)*1000U + (patch))
#define KERNEL_NEVER			    UINT32_MAX

/* The kinds of runs that a defect concerns. */
enum bad_for {
	BAD_FOR_TIMERS = 1U << 0,      /* events of the CPU clock */
	BAD_FOR_USER_STACKS = 1U << 1, /* user stacks that are walked in an interrupt */
	BAD_FOR_PROBES = 1U << 2,      /* probes of programs; allocations use them */
	BAD_FOR_SYSCALLS = 1U << 3,    /* the tracepoints of system calls */
};

enum bad_deed {
	BAD_AVOIDED, /* topstacks always takes another way */
	BAD_TOLD,    /* reported at the start of a run that it concerns */
	BAD_ASKED,   /* topstacks tries it, and the kernel's answer decides */
};

struct bad_range {
	uint32_t since, mended; /* releases; mended KERNEL_NEVER: no known release is mended */
};

#define BAD_MAX_RANGES 6

struct bad_kernel {
	const char *name;			 /* unique */
	struct bad_range ranges[BAD_MAX_RANGES]; /* used up to the first one with since 0 */
	const char *machine;			 /* of uname(2); NULL: all */
	const char *mark; /* must be part of the release: ".el9_3"; NULL: any release */
	bool is_of_preemptible;
	unsigned int concerns; /* enum bad_for */
	enum bad_deed deed;
	const char *happens;
	const char *we;	    /* what topstacks does about it, or what its user can do */
	const char *mended; /* the commit that mended it, or a phrase */
	const char *source;
};

/* The last row has no name. */
extern const struct bad_kernel bad_kernels__rows[];

/* The properties of the running kernel that rows compare. */
struct kernel_identity {
	uint32_t number; /* release number; 0: unknown */
	/* upper bound of number: the last release of the series if the patch level is unknown */
	uint32_t most;
	char release[128]; /* uname -r */
	char machine[65];  /* uname -m */
	/* the kernel may be preemptible, at its start or later: uname -v says PREEMPT */
	bool is_preemptible;
};

/*
 * Reads the kernel of /proc below the root of features; machine is always the running machine's.
 * Many distributions say 6.1.0 whatever they have merged of the stable series. Debian's patch level
 * is in uname -v ("Debian 6.1.76-1"), Ubuntu's in /proc/version_signature ("Ubuntu
 * 6.8.0-45.45-generic 6.8.12").
 */
struct kernel_identity kernel_identity__read(const struct features *features);

/* Returns true if this kernel has the defect, judged by its release. */
bool bad_kernels__has(const struct kernel_identity *identity, const struct bad_kernel *row);

/* Returns the bits of enum bad_for that the events concern. */
unsigned int bad_kernels__concern(const struct events *events, bool user_stacks);

/* Writes "6.1.113 until 6.1.131, 6.13 and later, x86_64, preemptible" into text. Returns text. */
const char *bad_kernels__describe(const struct bad_kernel *row, char *text, size_t size);

#endif
