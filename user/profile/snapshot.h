/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A snapshot is what a file holds: a profile, what its numbers are, where it comes from, and the
 * ledger of its samples. Formats read and write it, views show it.
 *
 * Strings belong to the snapshot's dictionary, and are hostile until escaped for an output.
 */
#ifndef TOPSTACKS_PROFILE_SNAPSHOT_H
#define TOPSTACKS_PROFILE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/interval.h"
#include "profile/ledger.h"
#include "profile/profile.h"

/* Where a profile comes from, in words. One row each in provenance.c: the key in files. */
enum fact {
	FACT_EVENT,	/* "cpu-clock" */
	FACT_UNWINDING, /* of user stacks: "frame pointers", "unwind tables" */
	FACT_TARGET,	/* "redis-server (pid 4711)" */
	FACT_HOST,
	FACT_KERNEL,  /* "6.1.0-18-amd64 x86_64" */
	FACT_CPU,     /* the model's name */
	FACT_VERSION, /* of topstacks */
	FACTS,
};

/* "event", "kernel": the key of a fact, also for people. */
const char *fact__name(enum fact fact);

struct provenance {
	const char *facts[FACTS];      /* NULL: not known */
	double asked_hz, delivered_hz; /* 0: not known */
	uint64_t nr_cpus;	       /* 0: not known */
	int64_t start_realtime_ns;     /* 0: not known */
	uint64_t duration_ns;	       /* of several files: the sum */
	uint64_t period;	       /* of the weight's unit between two samples; 0: not known */
};

/* Most slices of time that a snapshot is cut into. */
#define MAX_SLICES 65536

struct snapshot {
	struct dictionary *dictionary;
	struct profile *profile;
	const char *left_out; /* metrics that the file has too: "inuse_objects"; or NULL */
	struct provenance provenance;
	struct ledger ledger;
	bool has_ledger; /* it was recorded by topstacks */

	/* The same samples by time, if that was asked for. NULL: a slice without samples. */
	struct profile **slices;
	size_t nr_slices;
	uint64_t slice_ns;
};

/* Empty. 0 or -ENOMEM. */
int snapshot__init(struct snapshot *snapshot);
/* Once is enough, twice is fine. */
void snapshot__fini(struct snapshot *snapshot);

/* The snapshot's own copy of a string (NULL for NULL), or NULL with *failed set. */
const char *snapshot__keep(struct snapshot *snapshot, const char *string, bool *failed);

/*
 * Adds an interval of a run, samples, ledger and circumstances. as_slice: it is the next slice too.
 * 0 or -ENOMEM.
 */
int snapshot__add(struct snapshot *snapshot, const struct interval *interval, bool as_slice);

/* Adds a sample to the n-th slice only; slices before it spring up. 0, -ENOMEM or -ERANGE. */
int snapshot__add_to_slice(struct snapshot *snapshot, size_t slice, const struct sample *sample);

/*
 * Adds another snapshot. Slices are dropped: they are of different times. -EINVAL with err filled
 * if their values are of different metrics.
 */
int snapshot__merge(struct snapshot *snapshot, const struct snapshot *more, struct error *err);

/* profile__expand of all its profiles. 0, or -ENOMEM with some of them expanded. */
int snapshot__expand(struct snapshot *snapshot, const struct expander *expander);

/* What both say of a fact, or NULL if only one of them does or they differ. */
const char *provenance__common(const struct provenance *a, const struct provenance *b,
			       enum fact fact);

/* All of it as one interval, for views; borrows everything. */
void snapshot__as_interval(const struct snapshot *snapshot, struct interval *interval);

/*
 * Leaves only samples that have a frame whose name or module matches focus (NULL: any), and none
 * that matches ignore. Extended regular expressions. The ledger, being of all samples, stays.
 * -EINVAL with err filled if one of them is none.
 */
int snapshot__filter(struct snapshot *snapshot, const char *focus, const char *ignore,
		     struct error *err);

#endif
