/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparing two sets of runs: which units of a program became slower, and is that real?
 *
 * A comparison is counts: units x runs. A unit is a set of samples: those whose leaf is a function
 * (self), or whose stack has it anywhere (total). Self units partition the samples; a module or a
 * whole stack is a self unit too where one compares by those. Every run belongs to one side.
 * docs/diff.md has the rule, its derivation and its limits.
 */
#ifndef TOPSTACKS_DIFF_DIFF_H
#define TOPSTACKS_DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "profile/name_rules.h"
#include "profile/profile.h"
#include "profile/snapshot.h"

enum side {
	SIDE_BASE,
	SIDE_NEW,
	SIDES,
};

enum unit_kind {
	UNIT_SELF,  /* each sample is in exactly one of these */
	UNIT_TOTAL, /* these overlap */
};

/*
 * Samples whose leaf is a machine unit, or that were taken within an interrupt, are in no other
 * unit's counts: the caller leaves them out of totals too.
 */
struct unit {
	enum unit_kind kind;
	bool machine;		       /* context switches and the like: shown, never gated */
	double min_effect;	       /* instead of the options'; 0: as there */
	const uint64_t *counts;	       /* by run */
	const uint64_t *slices[SIDES]; /* see struct comparison; NULL: none. Self units only */
};

struct comparison {
	const struct unit *units;
	size_t nr_units;
	const enum side *sides; /* by run */
	size_t nr_runs;

	/* Sampled time or work by run, in any unit, > 0: rates are compared. NULL: shares. */
	const double *divisors;

	/*
	 * By run, the part of its samples whose stacks may lack callers, so that totals may lack
	 * these samples. NULL: of none.
	 */
	const double *incomplete;

	/*
	 * Only read with one run a side: the run cut in time, nr_slices[side] counts of every self
	 * unit. From it follows how much samples come in bursts. 0: that is assumed.
	 */
	size_t nr_slices[SIDES];

	/*
	 * For each total unit and run, adds to inside[unit * nr_runs + run] the samples of the unit
	 * whose leaf is self. 0 or negative errno, which decision__init() returns. NULL: no total
	 * units.
	 */
	int (*overlap)(void *context, size_t self, uint64_t *inside);
	void *context;
};

struct decision_options {
	double alpha;	      /* of one false alarm in a comparison, each direction: 0.02 */
	double min_effect;    /* relative: 0.05 */
	double min_points;    /* of all samples: 0.005 */
	double assumed_cv;    /* run to run, where it cannot be estimated: 0.05 */
	double wanted_effect; /* for the runs needed, relative; 0: twice the unit's floor */
};

struct decision_options decision_options__default(void);

enum verdict {
	VERDICT_NOT_COMPARED, /* too small to matter, or the machine's */
	VERDICT_REGRESSED,
	VERDICT_IMPROVED,
	VERDICT_UNCHANGED,
	VERDICT_NOT_ENOUGH,
	VERDICTS,
};

/* "regressed", ..., "not enough samples": the words of every output. */
const char *verdict__name(enum verdict verdict);

/* Why a unit was not tested. */
enum untested {
	TESTED,
	UNTESTED_MACHINE,
	UNTESTED_SMALL,	       /* a share below half of min_points, by the mean of the sides */
	UNTESTED_EMPTY_SIDE,   /* VERDICT_NOT_ENOUGH */
	UNTESTED_NO_REFERENCE, /* VERDICT_NOT_ENOUGH: fewer than 20 samples outside of it */
	UNTESTEDS,
};

struct finding {
	enum verdict verdict;
	enum untested untested;
	double samples[SIDES]; /* sums over runs */
	double share[SIDES];   /* of all samples but the machine's (and its own, for a machine unit)
				*/

	/* exp() of it is the slowdown if nothing else changed but what was taken as changed. */
	double log_ratio;
	double variance, df;
	double low, high;	     /* 95 % interval of the ratio, of this unit alone */
	double p_up, p_down;	     /* corrected for all tests of this direction; 1 if untested */
	double floor_up, floor_down; /* log ratios */

	/* Of a total: log ratios that lacking callers alone may explain; >= 0, may be infinite. */
	double blur_up, blur_down;

	bool changed;	 /* moved, if little, so clearly that nobody is measured against it */
	bool share_only; /* its share moved, but only because of what others did */

	/*
	 * For VERDICT_NOT_ENOUGH of a tested unit: runs a side, and how much longer the runs there
	 * are would have to be (0: however long, more runs are needed).
	 */
	double needed_runs;
	double needed_length;
};

enum phi_source {
	PHI_NOT_NEEDED, /* runs speak for themselves */
	PHI_ESTIMATED,
	PHI_ASSUMED_BURSTS,
};

#define MAX_CHANGED    4
#define SPREAD_WARNING 1.5

struct decision {
	struct finding *findings; /* by unit */
	size_t nr_units;
	size_t nr_tested;
	size_t nr[VERDICTS];

	size_t nr_runs[SIDES];	  /* that have samples */
	double samples[SIDES];	  /* but the machine's */
	double incomplete[SIDES]; /* part of them whose stacks may lack callers */
	unsigned int between_df;  /* d: 0 means run-to-run noise is assumed, not estimated */
	double cv;		  /* tau: run to run, estimated or assumed */
	bool cv_estimated;
	double phi;
	enum phi_source phi_source;

	size_t changed[MAX_CHANGED]; /* units, in the order in which they were found */
	size_t nr_changed;

	/*
	 * Mean of L^2 / v over self units that did not change; 0: none. With one run a side, above
	 * SPREAD_WARNING, runs differ by more than was assumed, or much changed.
	 */
	double spread;

	/* The smallest slowdown of a function with 10 % found with 80 %, relative. INFINITY: none.
	 */
	double found_effect;
};

/*
 * Decides about all units. Equal input gives equal output. *decision is the caller's to fini, also
 * after an error. 0, -ENOMEM, -EINVAL (an option or divisor that is not positive and finite; rates
 * with one run a side), or what overlap() returned.
 */
int decision__init(struct decision *decision, const struct comparison *comparison,
		   const struct decision_options *options);
void decision__fini(struct decision *decision);

/* ---- machine_units.c: kernel functions that show what the machine did, not the program ---- */

struct machine_units;

/* With the built-in list. NULL: out of memory. */
struct machine_units *machine_units__new(void);
void machine_units__free(struct machine_units *units);

/* All kernel functions whose names start so. The prefix is copied. 0, -ENOMEM, -EINVAL (empty). */
int machine_units__add(struct machine_units *units, const char *prefix);
void machine_units__clear(struct machine_units *units);

/* function: of a kernel frame; NULL is none. */
bool machine_units__match(const struct machine_units *units, const char *function);

/*
 * Is this machine unit an interrupt's entry or exit? What runs below one was not called by the
 * program, whatever its name: packets for others, for one.
 */
bool machine_units__is_interrupt(const struct machine_units *units, const char *function);

/* The list, in the order of adding; NULL beyond its end. Borrowed until clear or free. */
const char *machine_units__prefix(const struct machine_units *units, size_t index);

/* ---- names.c: functions that are the same although compilers and JITs number them anew ---- */

struct name_rules;

/* With the built-in rules. NULL: out of memory. */
struct name_rules *name_rules__new(void);
void name_rules__free(struct name_rules *rules);

/* Copies the rule; origin may be NULL. 0, -ENOMEM, or -EINVAL if the pattern is none. */
int name_rules__add(struct name_rules *rules, const struct name_rule *rule);
void name_rules__clear(struct name_rules *rules);

/* In the order of application; NULL beyond the last. Borrowed until clear or free. */
const struct name_rule *name_rules__rule(const struct name_rules *rules, size_t index);

/* The name by which a function is compared, as name_rule__apply_all. */
char *name_rules__apply(const struct name_rules *rules, const char *name);

/* ---- match.c: profiles to units ---- */

struct run {
	const struct profile *profile;
	enum side side;
	double divisor;	   /* of sampled time or work; 0 in all runs: shares */
	double incomplete; /* part of the samples whose stacks may lack callers */

	/*
	 * The run cut in time, of the same dictionary; NULL: a slice without samples. Only looked
	 * at with one run a side.
	 */
	struct profile *const *slices;
	size_t nr_slices;
};

/* Functions whose normalised names a shell pattern matches, and what is large enough for them. */
struct effect_rule {
	const char *pattern;
	double min_effect;
};

enum match_by {
	MATCH_FUNCTIONS, /* by normalised name and module */
	MATCH_MODULES,
	MATCH_STACKS,	/* whole ones; no total units */
	MATCH_SUBTREES, /* total: stacks that begin alike; self: those that end there */
};

struct match_options {
	enum match_by by;
	const struct name_rules *rules;
	const struct machine_units *machine;
	const struct effect_rule *effects; /* the last that matches counts */
	size_t nr_effects;
};

struct match;

/* Borrows profiles and options. Returns 0 or -ENOMEM; *match is the caller's to free. */
int match__new(struct match **match, const struct run *runs, size_t nr_runs,
	       const struct match_options *options);
void match__free(struct match *match);

/* Valid as long as the match. Counts are events (VALUE_COUNT). */
const struct comparison *match__comparison(const struct match *match);

/*
 * A function that is everywhere a leaf where it appears has no total unit: it would be the same
 * samples. twin: the total unit of a self unit and the other way round; SIZE_MAX: none.
 */
struct match_unit {
	const char *name;   /* normalised; of a stack or its part: of the leaf */
	const char *module; /* NULL: none known */
	enum frame_kind kind;
	size_t twin;
};

/* Strings live as long as the match. */
struct match_unit match__unit(const struct match *match, size_t unit);

/* Names of a stack or its part, "root;...;leaf"; else the unit's name. The caller's to free();
 * NULL: no memory.
 */
char *match__full_name(const struct match *match, size_t unit);

/*
 * The self unit of the function that most samples of this function's stacks were called by on this
 * side, and which part of them; SIZE_MAX: there is none. Functions only. Looks at all samples.
 */
size_t match__caller(const struct match *match, size_t unit, enum side side, double *part);

/* ---- verdict.c: what fails, and what only moved ---- */

/* "regressed", "improved", "regressed:self", "regressed:total>5%", ... */
struct gate_rule {
	enum verdict verdict;
	bool self, total;
	double above; /* the change must be larger, relative */
};

/* 0, or -EINVAL with a sentence. */
int gate_rule__parse(struct gate_rule *rule, const char *text, struct error *err);

/*
 * Cost that moved between a function and its caller or callee, because one was inlined into the
 * other or is no longer: their sum did not change.
 */
struct outcome {
	size_t *moved; /* by unit: the other one, the unit itself if it is not known; SIZE_MAX: not
			*/
	bool *fails;   /* by unit */
	size_t nr_failing;
};

/* A unit fails by any of the rules, but not if its cost only moved. 0 or -ENOMEM; then fini. */
int outcome__init(struct outcome *outcome, const struct match *match,
		  const struct decision *decision, const struct gate_rule *rules, size_t nr_rules);
void outcome__fini(struct outcome *outcome);

/*
 * EXIT_GATE if anything fails; else EXIT_USAGE if a side has no samples, or if a slowdown of a 10 %
 * function by required_power (relative; 0: not asked for) might have been missed; else EXIT_DONE.
 */
enum exit_code outcome__exit_code(const struct outcome *outcome, const struct decision *decision,
				  double required_power);

/* ---- comparable.c: files that should not be compared ---- */

enum obstacle {
	OBSTACLE_TYPES,	    /* samples against allocated objects */
	OBSTACLE_EVENT,	    /* cpu-clock against cycles */
	OBSTACLE_UNWINDING, /* frame pointers against ... */
	OBSTACLE_CPU,
	OBSTACLE_CPUS, /* their number */
	OBSTACLE_KERNEL,
	OBSTACLE_HOST,
	OBSTACLE_RATE,	   /* more than 10 times */
	OBSTACLE_DURATION, /* more than 10 times */
	OBSTACLE_LOSSES,   /* more than 1 % of samples or their stacks */
	OBSTACLE_EMPTY,	   /* no samples */
	OBSTACLES,
};

/* "event", "cpu"; NULL beyond the last. */
const char *obstacle__name(enum obstacle obstacle);

struct compared_file {
	const char *name;
	const struct snapshot *snapshot;
};

struct obstacles {
	char **reasons; /* sentences, safe on a terminal */
	size_t nr;
};

/*
 * What stands against comparing these files, but for the kinds whose bit (1 << kind) is allowed. 0
 * or -ENOMEM; then fini.
 */
int obstacles__find(struct obstacles *found, const struct compared_file *files, size_t nr_files,
		    unsigned int allowed);
void obstacles__fini(struct obstacles *found);

/* Time between two samples, 0: not known. */
double snapshot__period_ns(const struct snapshot *snapshot);

/* ---- config.c: all that can be said about a comparison but its files ---- */

struct diff_config {
	struct decision_options decision;
	struct gate_rule *rules;
	size_t nr_rules;
	struct effect_rule *effects; /* patterns are the config's own */
	size_t nr_effects;
	struct machine_units *machine;
	struct name_rules *names;
	unsigned int allowed; /* as of obstacles__find() */
};

/* The defaults. 0 or -ENOMEM; fini also after an error. */
int diff_config__init(struct diff_config *config);
void diff_config__fini(struct diff_config *config);

/* One setting, "alpha" and "0.02". 0, -ENOMEM, or -EINVAL with err filled. docs/diff.md has them.
 */
int diff_config__set(struct diff_config *config, const char *key, const char *value,
		     struct error *err);

/* Lines "KEY = VALUE", "#..." and empty ones; text is cut up. As diff_config__set, with the line.
 */
int diff_config__parse(struct diff_config *config, char *text, struct error *err);

/* The whole, so that parsing it gives the same. */
void diff_config__print(FILE *out, const struct diff_config *config);

/* ---- reports.c ---- */

struct diff_report {
	const struct match *match;
	const struct decision *decision;
	const struct outcome *outcome;
	const struct decision_options *options;
	size_t nr_rows;	       /* in the table for people; 0: all */
	bool unchanged;	       /* show these too */
	double required_power; /* as above */

	/* Why the runs may not be comparable, one sentence each. */
	char *const *warnings;
	size_t nr_warnings;
};

/* "text", "markdown", "json"; NULL beyond the last. */
const char *diff_report__format(size_t index);

/* Writes in one of these. 0, -EINVAL (no such format) or another negative errno. */
int diff_report__write(FILE *out, const struct diff_report *report, const char *format);

/* ---- flame_page.c ---- */

/*
 * The differential flame graph of a comparison by MATCH_SUBTREES, as a picture (SVG) or a page
 * (HTML) that looks closer. 0 or negative errno.
 */
int diff_flame__write(FILE *out, const struct diff_report *report, bool page);

#endif
