/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model that everything after symbolization reads: views, formats and diff know only this.
 *
 * A profile is values per (process, thread, stack, wait, slice); its dictionary has the process and
 * the stack of each id.
 */
#ifndef TOPSTACKS_PROFILE_PROFILE_H
#define TOPSTACKS_PROFILE_PROFILE_H

#include "base/common.h"
#include "profile/dictionary.h"
#include "profile/metric.h"
#include "profile/wait.h"

/* All that tells samples apart comes before the values. */
struct sample {
	uint32_t process;
	uint32_t stack;
	int32_t tid;	 /* 0 unless threads are told apart */
	uint32_t thread; /* 1 + the string id of its name; 0: not known */
	uint32_t wait;	 /* WAIT(): running, or the state and the kind of the wait */
	uint32_t slice;	 /* 1 + index of its slice, while a run is under way; 0: none */
	uint64_t values[VALUES];
	/*
	 * The sum of the squared weights of its events: the variance of the weight, if as many
	 * events were drawn anew. 0: not known; all its events weigh the same then.
	 */
	double squares;
};

/* The name of the sample's thread, or NULL. */
static inline const char *sample__thread(const struct sample *sample,
					 const struct dictionary *dictionary)
{
	return sample->thread ? dictionary__string(dictionary, sample->thread - 1) : NULL;
}

/* Sets the name of the sample's thread; NULL: not known. */
void sample__name_thread(struct sample *sample, struct dictionary *dictionary, const char *name);

struct profile;

/* Takes a reference to the dictionary. Sums of values stop at UINT64_MAX. */
struct profile *profile__new(struct dictionary *dictionary);
/* An empty profile with the metrics of the other one. */
struct profile *profile__new_like(const struct profile *profile, struct dictionary *dictionary);
void profile__free(struct profile *profile);

struct dictionary *profile__dictionary(const struct profile *profile);

/* Copies the metrics, which say what the values of a sample mean, with their strings. */
void profile__set_metrics(struct profile *profile, const struct metrics *metrics);
/* Zeroed until they are set; the first profile__merge() takes those of the other profile then. */
const struct metrics *profile__metrics(const struct profile *profile);

/* Makes that value the shown one. */
void profile__show(struct profile *profile, enum value value);

/* True if a sample has a wait: its thread is known to have run or waited. */
bool profile__has_waits(const struct profile *profile);

/* Makes room for so many samples in all, and for no more if there was none before. */
void profile__reserve(struct profile *profile, size_t nr_samples);

/*
 * Adds the values to the sample of the same process, tid, thread, stack, wait and slice.
 */
void profile__add(struct profile *profile, const struct sample *sample);

/*
 * Scales the weights of all samples in these states (bits by enum wait_state) so that they add up
 * to total. False: no such sample has a weight.
 */
bool profile__fit(struct profile *profile, uint32_t states, uint64_t total);

/*
 * Adds all samples of more, which may have another dictionary. Return 0. profile__merge() drops the
 * slices, which are those of an interval; the other one keeps them.
 */
int profile__merge(struct profile *profile, const struct profile *more);
int profile__merge_by_slice(struct profile *profile, const struct profile *more);

/*
 * The sample of the same process, tid, thread, stack, wait and slice, or NULL. Valid until the next
 * add.
 */
const struct sample *profile__find(const struct profile *profile, const struct sample *sample);

/* In no order; valid until the next add, merge or clear. */
const struct sample *profile__samples(const struct profile *profile, size_t *nr_samples);

/* Bytes of its samples, about, without the dictionary. */
size_t profile__memory_bytes(const struct profile *profile);

uint64_t profile__total(const struct profile *profile, enum value value);
/* The total of the value that is shown. */
uint64_t profile__shown_total(const struct profile *profile);

/*
 * The sum of the squared weights of its events. The squared sum of weights divided by this is the
 * number of events of equal weight that are as informative.
 */
double profile__squares(const struct profile *profile);

/*
 * The relative variance of weights of samples of one rate: each CPU has a period of its own, up to
 * 2 % off the one that was asked for (capture/sources/perf_events.h).
 */
#define EQUAL_WEIGHTS 5e-4

/*
 * True if its events have different weights: more different than the periods of CPUs, or rounding
 * to a unit of time, can make events of one rate. Shares of counts are no shares of time then.
 */
bool profile__weighs_differently(const struct profile *profile);

/*
 * Notes that samples of several rates are added up: any difference in weights is a real one from
 * here on.
 */
void profile__add_rate(struct profile *profile);

/*
 * True if shares are to be of weights: the samples weigh differently, they stand for their weights,
 * and the user has not chosen counts. In recording.c.
 */
bool profile__is_spent(const struct profile *profile);

/*
 * A smaller profile of equal totals in another dictionary: the nr_kept hottest samples stay as they
 * are, the others become one stack "[other stacks]" for each program name.
 */
struct profile *profile__condense(const struct profile *profile, size_t nr_kept,
				  struct dictionary *into);

/*
 * A profile of the same dictionary with all values and squares times factor, without samples whose
 * shown value falls below least.
 */
struct profile *profile__scale(const struct profile *profile, double factor, uint64_t least);

/* ---- choice.c ---- */

/* True if a sample has a wait state, so that it is known whether its thread ran or waited. */
bool profile__tells_waits(const struct profile *profile);

/* The samples with these waits, in the same dictionary. */
struct profile *profile__select_waits(const struct profile *profile,
				      const struct wait_choice *choice);

/* ---- expand.c ---- */

#define MAX_EXPANSION 64

#define FRAME_STAYS (-1)

/*
 * A callback that replaces a frame. It fills frames, innermost first, and returns their number (0:
 * leave the frame out), or FRAME_STAYS. is_caller: the frame's address is a return address.
 */
struct expander {
	long (*expand)(void *context, const struct frame *frame, bool is_caller,
		       struct frame frames[MAX_EXPANSION]);
	void *context;
};

/* The same samples with every frame expanded, in the same dictionary. */
struct profile *profile__expand(const struct profile *profile, const struct expander *expander);

/*
 * Only calls the expander for each frame, as profile__expand would: for an expander that takes its
 * time.
 */
void profile__ask(const struct profile *profile, const struct expander *expander);

/* ---- rename.c ---- */

/*
 * A callback that names a frame__may_be_told() of a process. True: *named is the frame with its
 * name.
 */
struct renamer {
	bool (*rename)(void *context, const struct process *process, const struct frame *frame,
		       bool is_caller, struct frame *named);
	void *context;
};

/*
 * Replaces the profile by one of the same dictionary, in which frames have the names known by now.
 * Adds to *nr_samples the number of samples that got a name.
 */
void profile__rename(struct profile **profile, const struct renamer *renamer, uint64_t *nr_samples);

/* Forgets the samples, keeps the dictionary and the metrics. */
void profile__clear(struct profile *profile);

/* ---- query.c: the only place that ranks ---- */

enum merge {
	MERGE_BY_COMM,	  /* one row for equal comm and stack */
	MERGE_BY_PROCESS, /* one row for equal process, comm and stack */
	MERGE_BY_THREAD,  /* one row for equal thread, process, comm and stack */
};

/* A row of the ranking: equally named stacks, hottest first. */
struct row {
	uint32_t process; /* one of those merged */
	uint32_t stack;	  /* one of those merged: frames equal by name */
	int32_t tid;
	const char *thread; /* one of its names; NULL: not known */
	uint32_t wait;	    /* the wait__describe() word with most of its weight */
	uint64_t values[VALUES];
	double squares;			/* sum of squared weights */
	uint64_t by_state[WAIT_STATES]; /* its weight; WAIT_UNKNOWN: weight without a state */
};

/*
 * All rows, hottest first by the value that is shown. Rows of equal values are in order of names,
 * so that equal data give equal output. Frames are equal if their modules and frame__name() are:
 * without a function that is module and start or address; frames without a module are all equal.
 * The caller frees *rows. Returns their number.
 */
long profile__top_stacks(const struct profile *profile, enum merge merge, struct row **rows);

/* ---- groups.c ---- */

enum group_by {
	GROUP_BY_FUNCTION, /* "f.cold" and "f.isra.0" are "f" */
	GROUP_BY_SYMBOL,   /* "f.cold" is "f.cold" */
	GROUP_BY_MODULE,
	GROUP_BY_LINE, /* source line; by function where it is not known */
	GROUP_BY_COMM, /* from here on groups are of samples, not of frames */
	GROUP_BY_PROCESS,
	GROUP_BY_THREAD,
	GROUP_BY_CGROUP, /* by path */
	GROUP_BY_CONTAINER,
	GROUP_BY_WAIT, /* by wait__describe() */
	GROUP_BY_STATE,
};

enum sort {
	SORT_BY_SELF,
	SORT_BY_TOTAL,
	SORT_BY_NAME,
};

struct group_row {
	const char *name;   /* "main", "libc.so.6", "dict.c:123", "redis-server (4711)", "lock" */
	const char *module; /* of a function or line; NULL: none */
	/* one process of the group, the dictionary's; NULL for frames */
	const struct process *process;
	enum frame_kind kind;
	uint64_t self;	/* stacks with such a leaf; for groups of samples the same as total */
	uint64_t total; /* stacks with such a frame, each once */
	double self_squares, total_squares; /* sums of the squared weights */
	/* Part of self: time when the wait was over, but no CPU was free. GROUP_BY_WAIT only. */
	uint64_t woken;
};

/*
 * All groups, sorted (ties: by self, total, name, module). The caller frees *groups; its strings
 * live as long as the dictionary. Returns their number.
 */
long profile__group(const struct profile *profile, enum group_by by, enum sort sort,
		    struct group_row **groups);

#endif
