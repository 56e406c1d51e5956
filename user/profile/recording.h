/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording: what was sampled in a time, and all that is known of it. An interval of a run, the
 * sum of a run, a picture of the live view and a file are recordings: views and formats show them,
 * and putting one together of others loses nothing that both of them say.
 *
 * Strings belong to the dictionary of its profile unless somebody lends them, and are hostile until
 * escaped for an output.
 */
#ifndef TOPSTACKS_PROFILE_RECORDING_H
#define TOPSTACKS_PROFILE_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "profile/asked_rates.h"
#include "profile/ledger.h"
#include "profile/profile.h"
#include "profile/quality.h"
#include "profile/scatter.h"

/* What it is of, in words. One row each in recording.c: the key in files. */
enum fact {
	FACT_EVENT,	/* "cpu-clock" */
	FACT_UNWINDING, /* of user stacks */
	FACT_TARGET,	/* "redis-server (pid 4711)", "all processes", "make -j2" */
	FACT_HOST,
	FACT_KERNEL,  /* "6.1.0-18-amd64 x86_64" */
	FACT_CPU,     /* the model's name */
	FACT_VERSION, /* of topstacks */
	FACTS,
};

/* Words of FACT_UNWINDING. */
#define UNWINDING_POINTERS "frame pointers"
#define UNWINDING_TABLES   "unwind tables"

/* "event", "kernel": the key of a fact, also for people. */
const char *fact__name(enum fact fact);

/* What was asked for, and the kernel refused: "unwind tables", "frame pointers", "the kernel refused ...". */
struct lost_ability {
	const char *name;    /* NULL: none */
	const char *instead; /* what takes its place; NULL: nothing */
	const char *why;     /* a clause */
};

#define MOST_LOST_ABILITIES 4

/* What the tool itself used meanwhile (memory: at the end). */
struct cost {
	uint64_t user_ns, system_ns; /* CPU of our own threads; user_ns with that of line readers */
	uint64_t
		elapsed_ns; /* in which it was used: naming may end after sampling; 0: the duration */
	uint64_t drain_ns;     /* of it: reading maps and rings */
	uint64_t symbols_ns;   /* of it: naming what is new */
	uint64_t display_ns;   /* of it: ranking and formatting, of the interval before */
	uint64_t program_runs; /* of the BPF program, and their time; 0 if it was not timed */
	uint64_t program_ns;
	uint64_t resident_bytes; /* VmRSS */
	uint64_t peak_bytes;	 /* VmHWM */
	uint64_t symbols_bytes;	 /* of it: tables, names, mappings */
	uint64_t kernel_bytes;	 /* of our maps: memlock of their fdinfo */
};

/* Of what is counted only one in so many was sampled, to bound our own cost; its weight is that of all. */
struct thinned {
	uint64_t one_in; /* at the end; 0: never */
	uint64_t
		since_ns; /* since when fewer than all were, after the begin of the recording; 0: all the time, or nobody knows */
};

/* Most slices of time that a recording is cut into. */
#define MAX_SLICES 65536

/* Numbers are 0 where they are not known. */
struct recording {
	struct profile *profile; /* with its metrics */
	struct ledger ledger;
	bool has_ledger;	/* topstacks recorded it */
	struct quality quality; /* of the profile; zero: not measured */
	struct cost cost;

	const char *facts[FACTS]; /* NULL: not known */
	struct lost_ability
		lost_abilities[MOST_LOST_ABILITIES]; /* up to the first without a name */
	double asked_hz;		/* of a run its last one, of several their mean */
	struct asked_rates asked_rates; /* of several runs; none: of one */
	double first_hz; /* asked for at its begin, where that was another rate; else 0 */
	double lowered_hz; /* at its end, where the bound of our cost did not let it be as asked; else 0 */
	double delivered_hz;  /* due periods a second and CPU, less what was throttled */
	unsigned int nr_cpus; /* that were sampled */
	bool whole_system;    /* no target was named */
	bool is_whole_run;    /* of one command, from its start to its end */
	bool has_cycles;      /* where it was sampled -e cycles sees more; not in files */
	bool is_private;      /* a file that it was read from is not for everybody to read */
	bool is_difference;   /* its file has two counts for each stack: one of them was read */
	int64_t start_realtime_ns; /* CLOCK_REALTIME */
	uint64_t duration_ns;	   /* of several files: the sum */
	uint64_t end_ns;	   /* CLOCK_MONOTONIC, of what was just sampled here; else 0 */
	uint64_t cut_ns;	   /* before its begin, which somebody cut off; not in files */
	uint64_t gap_ns;	   /* before its begin, which somebody asked for and nobody has */
	uint64_t period;	   /* of the weight's unit between two samples, at the end */
	struct thinned thinned;

	/* Of all samples of the time, before some were chosen; factor 0: none were. Not in files. */
	struct scatter scatter;
	double squares; /* of their values that are shown */

	const char *left_out; /* metrics that the file has too: "inuse_objects"; or NULL */

	/* Expressions of frames that its writer wants left out, and that are not yet (profile/select/prune.h); or NULL. */
	const char *drop_frames, *keep_frames;

	/* The same samples by time, if that was asked for. NULL: a slice without samples. */
	struct profile **slices;
	size_t nr_slices;
	uint64_t slice_ns;
	struct slice_time *slice_times; /* NULL: one after the other, each of slice_ns */

	/*
	 * Of the other events of the same run, each with an event (FACT_EVENT) of its own, in the
	 * same dictionary; NULL: there are none. Owned by the first of them, which is the one that
	 * is shown. What holds for the whole run is told in each.
	 */
	struct recording *more;
};

/* When a slice was sampled. */
struct slice_time {
	int64_t start_realtime_ns;
	uint64_t duration_ns;
};

struct slice_time recording__slice_time(const struct recording *recording, size_t slice);

/* Its slices, with those at the end in which nothing was sampled; 1 if it has none. */
size_t recording__nr_pieces(const struct recording *recording);

/* How many of the shown event's samples are in no slice, where there are slices. */
uint64_t recording__nr_unsliced(const struct recording *recording);

/* Empty, with a profile and a dictionary of its own. 0 or -ENOMEM. */
int recording__init(struct recording *recording);
/* Frees its profiles and the other events, and with the last of them the dictionary. Zeroed is fine. */
void recording__fini(struct recording *recording);

/* What its profiles, those of other events too, and their dictionary take, about. */
size_t recording__memory_bytes(const struct recording *recording);

/* The recording's own copy of a string (NULL for NULL), or NULL with *failed set. */
const char *recording__keep(struct recording *recording, const char *string, bool *failed);

/*
 * Takes over another profile in the place of its own, and keeps its words in the dictionary of that
 * one. Of this event only: whoever changes the dictionary does it for all. 0 or -ENOMEM.
 */
int recording__replace_profile(struct recording *recording, struct profile *profile);

/* Leaves no frame and no stack in its dictionary that no sample has. 0, or -ENOMEM. */
int recording__drop_unused(struct recording *recording);

/*
 * Makes a copy that lends nothing from the other, in this dictionary; without its slices. 0, or
 * -ENOMEM and there is nothing to fini.
 */
int recording__copy(struct recording *copy, const struct recording *recording,
		    struct dictionary *dictionary);

/* Whether unwind tables were used where there are any. */
static inline bool recording__has_tables(const struct recording *recording)
{
	const char *unwinding = recording->facts[FACT_UNWINDING];

	return unwinding && !strcmp(unwinding, UNWINDING_TABLES);
}

/* The rate that it had at its end; 0: of what is counted there is none. */
static inline double recording__left_hz(const struct recording *recording)
{
	return recording->lowered_hz > 0 ? recording->lowered_hz : recording->asked_hz;
}

/* When it ended, 0 if that is not known. */
static inline int64_t recording__end_ns(const struct recording *recording)
{
	return recording->start_realtime_ns
		       ? recording->start_realtime_ns + (int64_t)recording->duration_ns
		       : 0;
}

/*
 * Adds the next part of the same run, each event to its own. as_slice: it is the next slice too.
 * 0, -ENOMEM or -ERANGE.
 */
int recording__append(struct recording *recording, const struct recording *next, bool as_slice);

/* The same, as that slice or a part of it: what is between the last one and it has no samples. */
#define NO_SLICE SIZE_MAX
#define AS_TOLD	 (SIZE_MAX - 1) /* the slices that its samples tell, from the first one on */
int recording__append_as(struct recording *recording, const struct recording *next, size_t slice);

/* Adds what is told of the next part, all but its samples; of this event only. 0 or -ENOMEM. */
int recording__append_circumstances(struct recording *recording, const struct recording *next);

/* Adds a sample to the n-th slice only; slices before it spring up. 0, -ENOMEM or -ERANGE. */
int recording__add_to_slice(struct recording *recording, size_t slice, const struct sample *sample);

/*
 * Adds one of another run, each event to its own: what they do not agree on is not known of the sum.
 * Slices are dropped: they are of different times. -EINVAL with err filled if they are of different
 * events, or their values of different metrics; nothing is added then.
 */
int recording__merge(struct recording *recording, const struct recording *more, struct error *err);

/*
 * Before two are merged or joined: what is in milliseconds in one and in nanoseconds in the other is in the finer
 * unit in both, event by event. 0 or -ENOMEM; what is too much for that, or of something else, stays as it is.
 */
int recording__share_units(struct recording *recording, struct recording *more);

/* profile__rename of all its profiles. 0, or -ENOMEM with some of them renamed. */
int recording__rename(struct recording *recording, const struct renamer *renamer,
		      uint64_t *nr_samples);

/*
 * The same of a recording of another time, and keeps apart what each was: their slices, or all of one
 * that has none, become slices with times of their own, in the order of time. -ERANGE, too: too many.
 */
int recording__join(struct recording *recording, const struct recording *more, struct error *err);

/* profile__expand of all its profiles. 0, or -ENOMEM with some of them expanded. */
int recording__expand(struct recording *recording, const struct expander *expander);

/* ---- weighing.c ---- */

/*
 * Where the samples of an event weigh differently, what is shown of it from here on is the weight, in its slices,
 * too, unless the user chose a value. For whoever reads samples or adds some; all events.
 */
void recording__show_spent(struct recording *recording);

/* ---- events.c: several events of a run, for those who go over them by themselves ---- */

/* How many there are, 1 or more. */
size_t recording__nr_events(const struct recording *recording);

/* The one of that name, or NULL. */
const struct recording *recording__find_event(const struct recording *recording, const char *event);

/* Adds an empty one at the end, with the facts of the first. The new one, or NULL: out of memory. */
struct recording *recording__add_event(struct recording *recording, const char *event);

/*
 * Where one of next's events belongs in the sum of a run: to that of the same name, which is made if
 * there is none yet. Those of one event each belong together. NULL: out of memory.
 */
struct recording *recording__event_for(struct recording *sum, const struct recording *next,
				       const struct recording *part);

/* The one of the same event as a part of another run; of one event each, that one. Or NULL. */
const struct recording *recording__same_event(const struct recording *recording,
					      const struct recording *other,
					      const struct recording *part);

/* 0, or -EINVAL with err filled: their events are not the same, or their values of other metrics. */
int recording__check_events(const struct recording *a, const struct recording *b,
			    struct error *err);

/*
 * Before two files are added up: where both have numbers of one thing, with different decimals
 * (metric__decimals()), those with fewer get as many as the others, if there is room. 0 or -ENOMEM.
 */
int recording__align_decimals(struct recording *recording, struct recording *more);

/* recording__merge of one event, unchecked. 0 or -ENOMEM. */
int recording__merge_event(struct recording *recording, const struct recording *more);

/* Leaves only this one of the list. */
void recording__drop_others(struct recording *recording);

/*
 * The same list with that one, which is of it, as the first; those that were before it come last. So
 * whoever shows the second again and again shows all in turn.
 */
void recording__show_event(struct recording *recording, struct recording *shown);

/*
 * Blocks of memory, as heap profilers sample them: of all bytes that are allocated one in a period is hit,
 * by chance, and a block that is hit stands for all blocks of its size that were not. So counts are of
 * blocks, and no samples.
 */
/* It is of blocks and their bytes, whoever recorded it. */
bool heap__has_blocks(const struct recording *recording);

/*
 * How many independent samples so many bytes are worth. Of blocks that are much smaller than the period an
 * estimate of X bytes has the variance X * period; that of larger ones has less. 0: they are not sampled, or
 * nobody says how.
 */
double heap__samples(const struct recording *recording, double bytes);

#endif
