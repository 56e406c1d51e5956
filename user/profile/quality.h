/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How good the names and stacks of a profile are, and what would make them better. A plain value,
 * measured from samples alone: its strings are those of the profile's dictionary.
 */
#ifndef TOPSTACKS_PROFILE_QUALITY_H
#define TOPSTACKS_PROFILE_QUALITY_H

#include <stddef.h>
#include <stdint.h>

#include "profile/ledger.h"
#include "profile/profile.h"

/* What helps. One row each in quality.c. */
enum remedy {
	REMEDY_SYMBOLS,	 /* a file without symbols */
	REMEDY_KERNEL,	 /* the kernel hides its addresses */
	REMEDY_UNMAPPED, /* not even a mapping is known */
	REMEDY_REPLACED, /* two are, one after the other */
	REMEDY_CALLERS,	 /* neither frame pointers nor unwind tables */
	REMEDY_POINTERS, /* unwind tables, if it has them, were not used */
	REMEDY_TABLES,	 /* there are unwind tables, but they lead no further */
	REMEDY_ROOM,	 /* --unwind-memory has no room for the table */
	REMEDY_EARLY,	 /* walked before tables were loaded */
	REMEDY_MOMENT,	 /* mapped a moment ago, or ending: it passes */
	REMEDY_UNREAD,	 /* a file that was not read in time: nobody knows what it lacks */
	REMEDY_JAVA,	 /* from here on: code made at run time, by whom */
	REMEDY_NODE,
	REMEDY_INTERPRETED,
	REMEDY_DOTNET,
	REMEDY_JIT, /* by somebody else */
	REMEDIES,
};

#define QUALITY_CAUSES 3

/* A module that much of it is due to. */
struct quality_cause {
	const char *module;   /* "[unknown]" where there is none */
	const char *path;     /* or NULL */
	const char *build_id; /* or NULL */
	const char *package;  /* that would name it; filled by whoever knows, or NULL */
	const char *symbols;  /* how to come by its symbols, in words; likewise */
	enum remedy remedy;
	uint64_t unresolved; /* frames in it, as in struct quality */
	uint64_t ended; /* samples whose user stack ends in it, although nothing begins there */
};

struct quality {
	uint64_t frames;     /* of all samples: one counts as often as it was sampled */
	uint64_t unresolved; /* of them, without a function */
	uint64_t samples;
	uint64_t leaves;       /* of them, those with a leaf function: most */
	uint64_t unidentified; /* of them, those that have no name for it, and not even its start */
	uint64_t truncated;    /* of them, those that certainly lack callers, as the ledger says */
	uint64_t unverified;   /* those of which nobody knows; they are no fault */
	uint64_t one_frame;    /* and those whose user stack is one frame, and no root */

	struct quality_cause causes[QUALITY_CAUSES]; /* worst first, each at least 0.5 % */
	size_t nr_causes;
};

/*
 * ledger: of the same samples, whose count is what it adds up; NULL: there is none, and what is
 * shown counts. with_tables: unwind tables were used where there are any. 0 or -ENOMEM.
 */
int quality__measure(struct quality *quality, const struct profile *profile,
		     const struct ledger *ledger, bool with_tables);

/*
 * The least of three shares, in percent: frames with a name, samples that are not truncated,
 * samples whose user stack has more than one frame. 100 without samples.
 */
double quality__percent(const struct quality *quality);

/*
 * "98.7 % of frames named, 99.9 % of leaf functions identified, 0.4 % of samples truncated, 0.2 % of
 * samples with a single user frame"; the second where not all frames are named, the others without
 * shares of 0.0 %. Identified is a function that is named, or known by its start. Returns its length
 * as snprintf; 0 if all is well to a tenth of a percent.
 */
int quality__line(const struct quality *quality, char *text, size_t size);

/* Somebody can do something about it: the advice is more than an explanation. */
bool quality__can_mend(const struct quality_cause *cause);

/* "node: 1.2 % of frames have no name; start node with --perf-basic-prof". As snprintf. */
int quality__advice(const struct quality *quality, size_t cause, char *text, size_t size);

#endif
