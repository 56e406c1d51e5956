/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The quality of a profile's names and stacks, and the remedies. A plain value, measured from
 * samples alone: its strings are those of the profile's dictionary.
 */
#ifndef TOPSTACKS_PROFILE_QUALITY_H
#define TOPSTACKS_PROFILE_QUALITY_H

#include "base/common.h"
#include "profile/ledger.h"
#include "profile/profile.h"

/* Remedies, by what is lacking. Each has one row in quality.c. */
enum remedy {
	REMEDY_SYMBOLS,	 /* a file without symbols */
	REMEDY_KERNEL,	 /* the kernel hides its addresses */
	REMEDY_UNMAPPED, /* not even a mapping is known */
	REMEDY_REPLACED, /* two mappings are known, one after the other */
	REMEDY_CALLERS,	 /* code without frame pointers and without unwind tables */
	REMEDY_POINTERS, /* unwind tables, if it has them, were not used */
	REMEDY_TABLES,	 /* there are unwind tables, but they lead no further */
	REMEDY_ROOM,	 /* --unwind-memory has no room for its table */
	REMEDY_EARLY,	 /* walked before tables were loaded */
	REMEDY_MOMENT,	 /* mapped a moment ago, or a process that ends: it passes */
	REMEDY_UNREAD,	 /* a file that was not read in time: unknown what it lacks */
	REMEDY_JAVA,	 /* from here on code made at run time, by its runtime */
	REMEDY_NODE,
	REMEDY_INTERPRETED,
	REMEDY_DOTNET,
	REMEDY_JIT, /* an unknown runtime */
	REMEDIES,
};

#define QUALITY_CAUSES 3

/* A module with many of the nameless frames or incomplete stacks. */
struct quality_cause {
	const char *module;   /* "[unknown]" where there is none */
	const char *path;     /* or NULL */
	const char *build_id; /* or NULL */
	const char *package;  /* a package with its symbols; set by recipes of packages, or NULL */
	const char *symbols;  /* how to install its symbols, in words; likewise */
	enum remedy remedy;
	uint64_t unresolved; /* frames in it without a function, as in struct quality */
	/* Samples whose user stack ends in it, although no program begins there. */
	uint64_t ended;
};

struct quality {
	uint64_t frames;     /* in all samples; a frame counts once for each sample */
	uint64_t unresolved; /* of frames: without a function */
	uint64_t samples;
	uint64_t leaves;       /* of samples: those with a leaf function, which are most */
	uint64_t unidentified; /* of leaves: neither the name nor the start is known */
	uint64_t truncated;    /* of samples: certainly without some callers, by the ledger */
	uint64_t unverified;   /* of samples: not known whether callers lack; no fault */
	uint64_t one_frame;    /* of samples: one user frame, which is no root */

	struct quality_cause causes[QUALITY_CAUSES]; /* worst first, each at least 0.5 % */
	size_t nr_causes;
};

/*
 * Measures the profile. ledger: of the same samples, and counts are measured, as the ledger has
 * counts; NULL: there is none, and the shown value is measured. with_tables: unwind tables were
 * used where there are any.
 */
void quality__measure(struct quality *quality, const struct profile *profile,
		      const struct ledger *ledger, bool with_tables);

/*
 * The least of three shares, in percent: frames with a name, samples that are not truncated,
 * samples whose user stack has more than one frame. 100 without samples.
 */
double quality__percent(const struct quality *quality);

/*
 * "98.7 % of frames named, 99.9 % of leaf functions identified, 0.4 % of samples truncated, 0.2 %
 * of samples with a single user frame"; the second part only if not all frames are named, the
 * others only if they are not 0.0 %. A function is identified if its name or its start is known.
 * Returns its length as snprintf; 0 if nothing lacks a tenth of a percent.
 */
int quality__line(const struct quality *quality, char *text, size_t size);

/* The user can do something about it: the advice is not only an explanation. */
bool quality__can_mend(const struct quality_cause *cause);

/* "node: 1.2 % of frames have no name; start node with --perf-basic-prof". As snprintf. */
int quality__advice(const struct quality *quality, size_t cause, char *text, size_t size);

#endif
