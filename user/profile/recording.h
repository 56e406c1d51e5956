/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording: the samples of a time, and all that is known about them. An interval of a run, the
 * sum of a run, a picture of the live view and a file are recordings: views and formats show them,
 * and adding recordings up loses nothing that both of them know.
 *
 * Strings belong to the dictionary of its profile unless they are borrowed, and are hostile until
 * escaped for an output.
 */
#ifndef TOPSTACKS_PROFILE_RECORDING_H
#define TOPSTACKS_PROFILE_RECORDING_H

#include "base/common.h"
#include "profile/asked_rates.h"
#include "profile/ledger.h"
#include "profile/profile.h"
#include "profile/quality.h"
#include "profile/scatter.h"

/* Facts about a recording, each a text. The keys of files are in recording.c. */
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

/* A feature that was asked for and that the kernel refused: "unwind tables", "frame pointers". */
struct lost_ability {
	const char *name;    /* NULL: none */
	const char *instead; /* the replacement; NULL: none */
	const char *why;     /* the reason, as a clause */
};

#define MOST_LOST_ABILITIES 4

/* The resources that topstacks itself used during the recording (memory: at its end). */
struct cost {
	uint64_t user_ns, system_ns; /* CPU of our threads; user_ns includes line readers */
	/*
	 * The time in which the cost arose: naming may end after sampling; 0: the recording's
	 * duration.
	 */
	uint64_t elapsed_ns;
	uint64_t drain_ns;     /* of elapsed_ns: reading maps and rings */
	uint64_t symbols_ns;   /* of elapsed_ns: naming new addresses */
	uint64_t display_ns;   /* of elapsed_ns: ranking and formatting the interval before */
	uint64_t program_runs; /* of the BPF program, and their time; 0: not timed */
	uint64_t program_ns;
	uint64_t resident_bytes; /* VmRSS */
	uint64_t peak_bytes;	 /* VmHWM */
	uint64_t symbols_bytes;	 /* of resident_bytes: tables, names, mappings */
	uint64_t kernel_bytes;	 /* of our maps: memlock of their fdinfo */
};

/*
 * A counted event was thinned: only one hit in so many was sampled, to bound our own cost. A
 * sample's weight stands for all hits.
 */
struct thinned {
	uint64_t one_in; /* at the end; 0: never thinned */
	/* When thinning began, after the start of the recording; 0: at its start, or not known. */
	uint64_t since_ns;
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
	/* Ends at the first without a name. */
	struct lost_ability lost_abilities[MOST_LOST_ABILITIES];
	double asked_hz;		/* of the end of a run; the mean of several runs */
	struct asked_rates asked_rates; /* of several runs; empty: one run */
	double first_hz; /* asked for at the start, if that was another rate; else 0 */
	/* The rate at the end, if the bound of our cost lowered it; else 0. */
	double lowered_hz;
	double delivered_hz;	   /* due periods a second and CPU, less what was throttled */
	unsigned int nr_cpus;	   /* CPUs that were sampled */
	bool whole_system;	   /* no target was named */
	bool is_whole_run;	   /* of one command, from its start to its end */
	bool has_cycles;	   /* on that machine -e cycles would see more; not in files */
	bool is_private;	   /* it was read from a file that not everybody may read */
	bool is_difference;	   /* its file has two counts for each stack; only one was read */
	int64_t start_realtime_ns; /* CLOCK_REALTIME */
	uint64_t duration_ns;	   /* of several files: the sum */
	uint64_t end_ns;	   /* CLOCK_MONOTONIC, if it was just sampled here; else 0 */
	uint64_t cut_ns;	   /* time cut off before its start; not in files */
	uint64_t gap_ns;	   /* time asked for before its start that was not recorded */
	uint64_t period;	   /* weight between two samples at the end, in its unit */
	struct thinned thinned;

	/*
	 * The scatter of all samples, before some were chosen; factor 0: none were chosen. Not in
	 * files.
	 */
	struct scatter scatter;
	double squares; /* likewise, the sum of squares of the shown value */

	const char *left_out; /* other metrics of the file: "inuse_objects"; or NULL */

	/*
	 * Expressions of frames that the file's writer wants left out, and that are still there
	 * (profile/select/prune.h); or NULL.
	 */
	const char *drop_frames, *keep_frames;

	/* The same samples by time, if slices were asked for. NULL: a slice without samples. */
	struct profile **slices;
	size_t nr_slices;
	uint64_t slice_ns;
	struct slice_time *slice_times; /* NULL: slices follow each other, each of slice_ns */

	/*
	 * The other events of the same run, as a list. Each has a name of its own (FACT_EVENT), in
	 * the same dictionary; NULL: none. The first recording, which is the one shown, owns the
	 * others. Facts of the whole run are in each.
	 */
	struct recording *more;
};

/* When a slice was sampled. */
struct slice_time {
	int64_t start_realtime_ns;
	uint64_t duration_ns;
};

struct slice_time recording__slice_time(const struct recording *recording, size_t slice);

/* The number of slices, including those without samples at the end; 1 without slices. */
size_t recording__nr_pieces(const struct recording *recording);

/* The number of the shown event's samples that are in no slice; 0 without slices. */
uint64_t recording__nr_unsliced(const struct recording *recording);

/* Makes an empty recording with a profile and a dictionary of its own. */
void recording__init(struct recording *recording);
/*
 * Frees the profiles and the other events; the dictionary goes with its last profile. Zeroed is
 * fine.
 */
void recording__fini(struct recording *recording);

/* Bytes of all its profiles, those of other events too, and of their dictionary, about. */
size_t recording__memory_bytes(const struct recording *recording);

/* The recording's own copy of a string; NULL for NULL. */
const char *recording__keep(struct recording *recording, const char *string);

/*
 * Takes over another profile in place of its own, and moves its texts to the dictionary of that
 * one. Only for this event: a caller that changes the dictionary does it for all events.
 */
void recording__replace_profile(struct recording *recording, struct profile *profile);

/* Moves everything to a new dictionary, which has no unused frame or stack. */
void recording__drop_unused(struct recording *recording);

/* Makes a copy in this dictionary that borrows nothing; without slices. */
void recording__copy(struct recording *copy, const struct recording *recording,
		     struct dictionary *dictionary);

/* True if unwind tables were used where there are any. */
static inline bool recording__has_tables(const struct recording *recording)
{
	const char *unwinding = recording->facts[FACT_UNWINDING];

	return unwinding && !strcmp(unwinding, UNWINDING_TABLES);
}

/* The rate at its end; 0: a counted event has none. */
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
 * Adds the next part of the same run, event by event. as_slice: the part also becomes the next
 * slice. 0 or -ERANGE.
 */
int recording__append(struct recording *recording, const struct recording *next, bool as_slice);

/*
 * The same, into the slice of this number, or NO_SLICE or AS_TOLD. New slices before it have no
 * samples.
 */
#define NO_SLICE SIZE_MAX
#define AS_TOLD	 (SIZE_MAX - 1) /* the slices of the samples themselves, after the ones so far */
int recording__append_as(struct recording *recording, const struct recording *next, size_t slice);

/* Adds everything about the next part but its samples, for this event only. */
void recording__append_circumstances(struct recording *recording, const struct recording *next);

/* Adds a sample to one slice only; makes missing slices up to it. 0 or -ERANGE. */
int recording__add_to_slice(struct recording *recording, size_t slice, const struct sample *sample);

/*
 * Adds a recording of another run, event by event. Facts that differ become unknown in the sum.
 * Slices are dropped: they are of different times. -EINVAL with err filled if the events or their
 * metrics differ; nothing is added then.
 */
int recording__merge(struct recording *recording, const struct recording *more, struct error *err);

/*
 * Converts both recordings to common units, before they are merged or joined: if an event is in
 * milliseconds in one and in nanoseconds in the other, both get the finer unit. Values too large
 * for that, and other units, stay as they are.
 */
void recording__share_units(struct recording *recording, struct recording *more);

/* profile__rename of all its profiles. */
void recording__rename(struct recording *recording, const struct renamer *renamer,
		       uint64_t *nr_samples);

/*
 * Adds a recording of another time and keeps both apart: the slices of each, or all of one that has
 * none, become slices with times of their own, in the order of time. As recording__merge(); and
 * -ERANGE: too many slices.
 */
int recording__join(struct recording *recording, const struct recording *more, struct error *err);

/* profile__expand of all its profiles. */
void recording__expand(struct recording *recording, const struct expander *expander);

/* ---- which values are shown ---- */

/*
 * Shows the weights of events whose samples weigh differently, in their slices too, unless the user
 * chose a value. To call after samples were read or added; for all events.
 */
void recording__show_spent(struct recording *recording);

/* ---- events.c: the list of the events of a run ---- */

/* The number of events, 1 or more. */
size_t recording__nr_events(const struct recording *recording);

/* The event of that name, or NULL. */
const struct recording *recording__find_event(const struct recording *recording, const char *event);

/* Adds an empty event at the end, with the facts of the first. */
struct recording *recording__add_event(struct recording *recording, const char *event);

/*
 * Finds the event of sum that part, an event of next, is to be added to: the one of the same name,
 * which is made if there is none yet. If both have only one event, these belong together.
 */
struct recording *recording__event_for(struct recording *sum, const struct recording *next,
				       const struct recording *part);

/*
 * Finds the event of recording that is the same as part, an event of other: by name, or the only
 * one if both have one. NULL: none.
 */
const struct recording *recording__same_event(const struct recording *recording,
					      const struct recording *other,
					      const struct recording *part);

/* 0; or -EINVAL with err filled: their events or their metrics differ. */
int recording__check_events(const struct recording *a, const struct recording *b,
			    struct error *err);

/*
 * Before two files are added up: where both have a metric with different decimals
 * (metric__decimals()), the one with fewer gets as many as the other, if its values do not
 * overflow.
 */
void recording__align_decimals(struct recording *recording, struct recording *more);

/* recording__merge of one event, unchecked. */
void recording__merge_event(struct recording *sum, const struct recording *more);

/* Frees all other events; only this one is left. */
void recording__drop_others(struct recording *recording);

/*
 * Moves an event of the list to its front; the ones before it go to the end. So showing the second
 * event again and again shows all in turn.
 */
void recording__show_event(struct recording *recording, struct recording *shown);

/*
 * Heap profilers sample blocks of memory: of all bytes allocated one in a period is hit, by chance,
 * and a block that is hit stands for all blocks of its size that were not. So counts are estimates
 * of blocks, not numbers of samples.
 */
/* The metrics are blocks and bytes, whichever profiler recorded them. */
bool heap__has_blocks(const struct recording *recording);

/*
 * How many independent samples so many bytes are worth. For blocks much smaller than the period an
 * estimate of X bytes has the variance X * period; for larger blocks it has less. 0: blocks are not
 * sampled, or the period is not known.
 */
double heap__samples(const struct recording *recording, double bytes);

#endif
