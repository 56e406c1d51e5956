/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model that everything after symbolization reads: views, formats and diff know only this.
 *
 * A profile is values per (process, thread, stack, wait, slice); what these are is in its dictionary.
 */
#ifndef TOPSTACKS_PROFILE_PROFILE_H
#define TOPSTACKS_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/dictionary.h"
#include "profile/metric.h"
#include "profile/wait.h"

struct sample {
	uint32_t process;
	uint32_t stack;
	int32_t tid;	 /* 0 unless threads are told apart */
	uint32_t thread; /* 1 + the string that is its name; 0: not known */
	uint32_t wait;	 /* WAIT(): whether it ran, or waited, and for what */
	uint32_t slice;	 /* 1 + that of time, as long as a run is under way; 0: of any */
	uint64_t values[VALUES];
	/*
	 * The squares of the weights of its events, added up: what the weight of as many, drawn anew, would
	 * vary by. 0: nobody has told, and they weigh the same.
	 */
	double squares;
};

/* The name of its thread, or NULL. */
static inline const char *sample__thread(const struct sample *sample,
					 const struct dictionary *dictionary)
{
	return sample->thread ? dictionary__string(dictionary, sample->thread - 1) : NULL;
}

/* name: NULL: not known. 0 or -ENOMEM. */
int sample__name_thread(struct sample *sample, struct dictionary *dictionary, const char *name);

struct profile;

/* Takes a reference to the dictionary. NULL: out of memory. Sums stop at UINT64_MAX. */
struct profile *profile__new(struct dictionary *dictionary);
/* Empty too, with the metrics of the other profile. */
struct profile *profile__new_like(const struct profile *profile, struct dictionary *dictionary);
void profile__free(struct profile *profile);

struct dictionary *profile__dictionary(const struct profile *profile);

/* What its values measure. Copies the strings; 0 or -ENOMEM. */
int profile__set_metrics(struct profile *profile, const struct metrics *metrics);
/* All zero as long as nobody has set them; then its first merge takes those of the other. */
const struct metrics *profile__metrics(const struct profile *profile);

/* Shows that value from here on. */
void profile__show(struct profile *profile, enum value value);

/* Of some sample it is known whether it ran or waited. */
bool profile__has_waits(const struct profile *profile);

/* Adds to the sample of the same process, tid, thread, stack, wait and slice. 0 or -ENOMEM. */
int profile__add(struct profile *profile, const struct sample *sample);

/*
 * Makes the weights of samples in these states (bits by enum wait_state) add up to total, each by
 * its share. False: there are none.
 */
bool profile__fit(struct profile *profile, uint32_t states, uint64_t total);

/*
 * Adds all of more, which may have another dictionary. 0, or -ENOMEM with a part of it added. Slices of
 * time, which are those of an interval, are kept by the second one.
 */
int profile__merge(struct profile *profile, const struct profile *more);
int profile__merge_by_slice(struct profile *profile, const struct profile *more);

/* The sample of the same process, tid, thread, stack, wait and slice, or NULL. Valid until the next add. */
const struct sample *profile__find(const struct profile *profile, const struct sample *sample);

/* In no order; valid until the next add, merge or clear. */
const struct sample *profile__samples(const struct profile *profile, size_t *nr_samples);

/* Of its samples, about; its dictionary is apart. */
size_t profile__memory_bytes(const struct profile *profile);

uint64_t profile__total(const struct profile *profile, enum value value);
/* Of the value that is shown. */
uint64_t profile__shown_total(const struct profile *profile);

/* Of the squares of its events' weights: sum of weights squared / this is how many equal ones are worth as much. */
double profile__squares(const struct profile *profile);

/*
 * What samples of one rate differ by, relative and squared: each CPU has a period of its own, up to 2 % from the one
 * that was asked for (capture/sources/perf_events.h).
 */
#define EQUAL_WEIGHTS 5e-4

/*
 * Its events have different weights, by more than periods of CPUs do, or rounding to a unit of time makes of equal ones.
 * Then shares of counts are no shares of what was spent.
 */
bool profile__weighs_differently(const struct profile *profile);

/* The profile has samples of several rates from here on: any difference is more than that of equal ones. */
void profile__add_rate(struct profile *profile);

/* weighing.c: its samples do, stand for their weights, and the user has not chosen counts: shares are to be of weights. */
bool profile__is_spent(const struct profile *profile);

/*
 * A smaller profile of equal totals in another dictionary: the nr_kept hottest samples stay as they
 * are, the rest is one stack "[other stacks]" for each program name. NULL: out of memory.
 */
struct profile *profile__condense(const struct profile *profile, size_t nr_kept,
				  struct dictionary *into);

/*
 * A profile of the same dictionary with all values and squares times factor; samples of which fewer than least
 * are left are not in it. NULL: out of memory.
 */
struct profile *profile__scale(const struct profile *profile, double factor, uint64_t least);

/* ---- select.c ---- */

/* Some sample tells whether its thread ran or waited. */
bool profile__tells_waits(const struct profile *profile);

/* The samples of some waits, in the same dictionary. NULL: out of memory. */
struct profile *profile__select_waits(const struct profile *profile,
				      const struct wait_choice *choice);

/* ---- expand.c ---- */

#define MAX_EXPANSION 64

#define FRAME_STAYS (-1)

/*
 * Says what a frame is made of: fills frames, innermost first, and returns how many (0: it is left
 * out), or FRAME_STAYS. is_caller: its address is a return address.
 */
struct expander {
	long (*expand)(void *context, const struct frame *frame, bool is_caller,
		       struct frame frames[MAX_EXPANSION]);
	void *context;
};

/* The same samples with every frame expanded, in the same dictionary. NULL: out of memory. */
struct profile *profile__expand(const struct profile *profile, const struct expander *expander);

/* Only asks, for an expander that takes its time: each frame as profile__expand would. 0 or -ENOMEM. */
int profile__ask(const struct profile *profile, const struct expander *expander);

/* ---- rename.c ---- */

/* Names a frame__may_be_told() of a process: true, and *named is the frame with a name. */
struct renamer {
	bool (*rename)(void *context, const struct process *process, const struct frame *frame,
		       bool is_caller, struct frame *named);
	void *context;
};

/*
 * Exchanges the profile for one of the same dictionary with the names that there are. Adds to
 * *nr_samples how many got some. 0, or -ENOMEM and the profile is as it was.
 */
int profile__rename(struct profile **profile, const struct renamer *renamer, uint64_t *nr_samples);

/* Forgets the samples, keeps the dictionary and the metrics. */
void profile__clear(struct profile *profile);

/* ---- query.c: the only place that ranks ---- */

enum merge {
	MERGE_BY_COMM,	  /* rows of equal comm and stack are one */
	MERGE_BY_PROCESS, /* and of equal process */
	MERGE_BY_THREAD,  /* and of equal thread */
};

/* A row of the ranking: equally named stacks, hottest first. */
struct row {
	uint32_t process; /* one of those merged */
	uint32_t stack;	  /* one of those merged: frames equal by name */
	int32_t tid;
	const char *thread; /* its name, or one of its names; NULL: not known */
	uint32_t wait;	    /* what most of its weight is, in words: wait__describe() */
	uint64_t values[VALUES];
	double squares;			/* of its weights */
	uint64_t by_state[WAIT_STATES]; /* its weight; WAIT_UNKNOWN: what no state is told of */
};

/*
 * The nr hottest rows by the value that is shown (ties: by name, so that equal data give equal
 * output). Frames are equal if module and name are, the name being what frame__name() says: without
 * a function that is module and start or address, and frames of no module are all alike. *rows is
 * the caller's to free(). Returns the number of rows, at most nr, or -ENOMEM.
 */
long profile__top_stacks(const struct profile *profile, enum merge merge, size_t nr,
			 struct row **rows);

/* ---- groups.c ---- */

enum group_by {
	GROUP_BY_FUNCTION, /* "f.cold" and "f.isra.0" are "f" */
	GROUP_BY_SYMBOL,   /* they are what they are called */
	GROUP_BY_MODULE,
	GROUP_BY_LINE, /* of the source; where that is not known, by function */
	GROUP_BY_COMM, /* of processes: from here on groups are of samples, not of frames */
	GROUP_BY_PROCESS,
	GROUP_BY_THREAD,
	GROUP_BY_CGROUP, /* by path */
	GROUP_BY_CONTAINER,
	GROUP_BY_WAIT, /* by what wait__describe() says */
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
	const struct process *process; /* of owners: one of theirs, the dictionary's; else NULL */
	enum frame_kind kind;
	uint64_t self;	/* its frames are leaves; of processes the same as total */
	uint64_t total; /* they are anywhere, once per stack */
	double self_squares, total_squares; /* of the weights of these samples */
	uint64_t
		woken; /* of self, what was waited for is over, and no CPU was there yet: GROUP_BY_WAIT alone */
};

/*
 * All groups, sorted (ties: by self, total, name, module). *groups is the caller's to free(), its
 * strings live as the dictionary. Returns how many there are, or -ENOMEM.
 */
long profile__group(const struct profile *profile, enum group_by by, enum sort sort,
		    struct group_row **groups);

#endif
