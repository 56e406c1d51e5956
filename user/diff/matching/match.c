// SPDX-License-Identifier: GPL-2.0-only
/*
 * Matches runs: counts samples by subject instead of by frame.
 *
 * A sample whose leaf is a machine unit counts for that unit alone, and a sample within an
 * interrupt for [interrupts] alone.
 */
#include "diff/matching/match.h"

#include <fnmatch.h>

#include "diff/matching/byte_counts.h"
#include "diff/matching/match_frames.h"
#include "diff/statistics/statistics.h"
#include "profile/scatter.h"

struct match {
	struct renames renames;
	struct matched_frames frames;

	struct comparison comparison;
	struct unit *units;
	struct subject **owners; /* by unit */
	uint64_t *slices[SIDES]; /* by unit and interval */
};

/* ---- relations between units ---- */

/* Adds the samples that total units have in common with these self units. */
static void add_overlap(void *context, const bool *selves, uint64_t *inside)
{
	struct match *match = context;

	for (size_t run = 0; run < match->frames.nr_runs; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->frames.runs[run].profile, &nr_samples);

		for (size_t i = 0; i < nr_samples; i++) {
			struct chain chain = chain__of(&match->frames, run, &samples[i]);
			const struct subject *subject = chain__owner(&chain, &match->frames);
			struct chain_walk walk;

			if (subject->self_unit == SIZE_MAX || !selves[subject->self_unit])
				continue;
			walk = chain_walk__begin(&match->frames, &chain);
			while ((subject = chain_walk__next(&walk))) {
				uint64_t *sum =
					&inside[subject->total_unit * match->frames.nr_runs + run];

				if (subject->total_unit != SIZE_MAX)
					*sum = sum_of(*sum, samples[i].values[VALUE_COUNT]);
			}
		}
	}
}

static void mark_callers(void *context, const bool *selves, bool *callers)
{
	const struct match *match = context;

	for (size_t run = 0; run < match->frames.nr_runs; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->frames.runs[run].profile, &nr_samples);

		for (size_t i = 0; i < nr_samples; i++) {
			const struct chain chain = chain__of(&match->frames, run, &samples[i]);

			for (size_t j = 0; j + 1 < chain.nr_frames; j++) {
				const size_t self = chain__subject(&chain, j)->self_unit;
				const size_t caller = chain__subject(&chain, j + 1)->self_unit;

				if (self != SIZE_MAX && selves[self] && caller != SIZE_MAX)
					callers[caller] = true;
			}
		}
	}
}

/* ---- units ---- */

static bool has_counts(const uint64_t *counts, size_t nr_runs)
{
	for (size_t run = 0; run < nr_runs; run++) {
		if (counts[run])
			return true;
	}
	return false;
}

static size_t add_unit(struct match *match, struct subject *subject, enum unit_kind kind)
{
	const struct match_options *options = &match->frames.options;
	const char *name = subject__function(subject)->name;
	const size_t unit = match->comparison.nr_units++;

	match->owners[unit] = subject;
	match->units[unit] = (struct unit){
		.kind = kind,
		.machine = subject->machine,
		.counts = kind == UNIT_SELF ? subject->self : subject->total,
	};
	for (size_t i = 0; i < options->nr_effects; i++)
		if (!fnmatch(options->effects[i].pattern, name, 0))
			match->units[unit].min_effect = options->effects[i].min_effect;
	return unit;
}

/* ---- slices ---- */

/* Counts the samples of a slice for their self units, and with phases for their total units. */
static void count_slice(struct match *match, size_t run, const struct profile *slice,
			uint64_t *counts, size_t nr_intervals)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(slice, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		const uint64_t count = samples[i].values[VALUE_COUNT];
		struct chain chain = chain__of(&match->frames, run, &samples[i]);
		const struct subject *subject = chain__owner(&chain, &match->frames);
		struct chain_walk walk;
		uint64_t *sum;

		if (subject->self_unit == SIZE_MAX)
			continue;
		sum = &counts[subject->self_unit * nr_intervals];
		*sum = sum_of(*sum, count);
		if (!match->frames.options.phases || subject->machine)
			continue;
		walk = chain_walk__begin(&match->frames, &chain);
		while ((subject = chain_walk__next(&walk))) {
			if (subject->total_unit == SIZE_MAX)
				continue;
			sum = &counts[subject->total_unit * nr_intervals];
			*sum = sum_of(*sum, count);
		}
	}
}

/*
 * Joins neighbouring slices: counts of thousands of slices for each unit would need too much
 * memory. With phases the slices are kept, as their length is that of new.
 */
static void count_slices(struct match *match, size_t index)
{
	const struct run *run = &match->frames.runs[index];
	const bool joins = !match->frames.options.phases && run->nr_slices > MAX_INTERVALS;
	const size_t nr = joins ? MAX_INTERVALS : run->nr_slices;
	uint64_t *counts;

	if (nr < 2)
		return;
	counts = xcalloc(match->comparison.nr_units, nr * sizeof(*counts));
	match->slices[run->side] = counts;
	for (size_t i = 0; i < run->nr_slices; i++)
		if (run->slices[i])
			count_slice(match, index, run->slices[i], &counts[i * nr / run->nr_slices],
				    nr);
	for (size_t u = 0; u < match->comparison.nr_units; u++)
		if (match->units[u].kind == UNIT_SELF || match->frames.options.phases)
			match->units[u].slices[run->side] = &counts[u * nr];
	match->comparison.nr_slices[run->side] = nr;
}

/* ---- the whole ---- */

struct match *match__new(const struct run *runs, size_t nr_runs,
			 const struct match_options *options)
{
	struct match *match = xcalloc(1, sizeof(*match));
	size_t nr_subjects;

	/* With phases both sides are one program: nothing was renamed. */
	if (!options->phases)
		find_renames(&match->renames, &match->frames, runs, nr_runs, options);
	if (options->phases || options->by != MATCH_FUNCTIONS) {
		matched_frames__fini(&match->frames);
		matched_frames__count(&match->frames, runs, nr_runs, options, &match->renames);
	}
	nr_subjects = match->frames.subjects.all.nr_items;
	match->units = xcalloc(2 * nr_subjects, sizeof(*match->units));
	match->owners = xcalloc(2 * nr_subjects, sizeof(*match->owners));
	for (size_t i = 0; i < nr_subjects; i++) {
		struct subject *subject = subjects__at(&match->frames.subjects, i);

		if (has_counts(subject->self, nr_runs))
			subject->self_unit = add_unit(match, subject, UNIT_SELF);
		if (has_counts(subject->total, nr_runs) &&
		    memcmp(subject->self, subject->total, nr_runs * sizeof(uint64_t)) != 0)
			subject->total_unit = add_unit(match, subject, UNIT_TOTAL);
	}
	if (nr_runs == SIDES && runs[0].side != runs[1].side)
		for (size_t run = 0; run < nr_runs; run++)
			count_slices(match, run);
	match->comparison.units = match->units;
	match->comparison.runs = runs;
	match->comparison.nr_runs = nr_runs;
	match->comparison.is_independent =
		nr_runs && byte_counts__are_made(profile__metrics(runs[0].profile));
	match->comparison.overlap = add_overlap;
	match->comparison.mark_callers = match__has_callers(match) ? mark_callers : NULL;
	match->comparison.context = match;
	return match;
}

void match__free(struct match *match)
{
	if (!match)
		return;
	for (enum side side = 0; side < SIDES; side++)
		free(match->slices[side]);
	free(match->owners);
	free(match->units);
	matched_frames__fini(&match->frames);
	renames__fini(&match->renames);
	free(match);
}

const char *match__counted(const struct match *match)
{
	return metric__noun(matched_frames__metric(&match->frames));
}

const char *match__noun(const struct match *match, struct quoted *noun)
{
	return quote__noun(noun, match__counted(match));
}

bool match__is_of_subtrees(const struct match *match)
{
	return match->frames.options.by == MATCH_SUBTREES;
}

const struct renames *match__renames(const struct match *match)
{
	return &match->renames;
}

bool match__counts_samples(const struct match *match)
{
	return match->frames.is_time;
}

const struct comparison *match__comparison(const struct match *match)
{
	return &match->comparison;
}

struct match_unit match__unit(const struct match *match, size_t unit)
{
	const struct subject *subject = match->owners[unit], *path = subject->parent;
	const struct subject *shown = subject__function(subject);
	struct match_unit of = {
		.name = shown->name,
		.module = shown->module,
		.kind = subject->kind,
		.rename = shown->rename,
		.twin = unit == subject->self_unit ? subject->total_unit : subject->self_unit,
		.parent = SIZE_MAX,
	};

	if (path && path->total_unit != SIZE_MAX)
		of.parent = path->total_unit;
	else if (path && !path->machine)
		of.parent = path->self_unit;
	return of;
}

char *match__full_name(const struct match *match, size_t unit)
{
	const struct subject *subject = match->owners[unit];
	size_t length = 0;
	char *text, *at;

	if (!subject->function)
		return xstrdup(subject->name);
	for (const struct subject *p = subject; p; p = p->parent)
		length += strlen(p->function->name) + 1;
	text = xmalloc(length);
	/* The subjects of a path go from its end to the root, so it is written backwards. */
	at = text + length;
	for (const struct subject *p = subject; p; p = p->parent) {
		const size_t nr_bytes = strlen(p->function->name);

		*--at = p == subject ? '\0' : ';';
		at -= nr_bytes;
		memcpy(at, p->function->name, nr_bytes);
	}
	return text;
}

/* ---- stacks of a unit, and its callers ---- */

bool match__has_callers(const struct match *match)
{
	return match->frames.options.by == MATCH_FUNCTIONS ||
	       match->frames.options.by == MATCH_MODULES;
}

/*
 * True if the stack counts for the unit; finds its innermost and outermost frame. A total unit is
 * anywhere in the stack.
 */
static bool find_frames(struct match_stack *stack, const struct match *match, size_t unit)
{
	const struct subject *subject = match->owners[unit];
	const struct subject *leaf = chain__leaf(&stack->chain, &match->frames);
	bool has_any = false;

	stack->first = stack->outermost = 0;
	if (match->units[unit].kind == UNIT_SELF)
		return leaf == subject && stack->chain.nr_frames;
	for (size_t i = 0; i < stack->chain.nr_frames && !leaf->machine; i++) {
		if (chain__subject(&stack->chain, i) != subject)
			continue;
		stack->first = has_any ? stack->first : i;
		stack->outermost = i;
		has_any = true;
	}
	return has_any;
}

void match__visit(const struct match *match, size_t unit,
		  void (*visit)(void *context, const struct match_stack *stack), void *context)
{
	for (size_t run = 0; run < match->frames.nr_runs; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->frames.runs[run].profile, &nr_samples);

		for (size_t i = 0; i < nr_samples; i++) {
			struct match_stack stack = {
				.chain = chain__of(&match->frames, run, &samples[i]),
				.run = run,
				.count = samples[i].values[VALUE_COUNT],
			};

			if (find_frames(&stack, match, unit))
				visit(context, &stack);
		}
	}
}

/* The nearest other function above the innermost frame of subject; NULL: none. */
static struct subject *find_caller(const struct chain *chain, const struct subject *subject)
{
	bool inside = false;

	for (size_t i = 0; i < chain->nr_frames; i++) {
		struct subject *at = chain__subject(chain, i);

		if (at == subject)
			inside = true;
		else if (inside)
			return at;
	}
	return NULL;
}

size_t match__caller(const struct match *match, size_t unit, enum side side, double *part)
{
	const struct subject *subject = match->owners[unit];
	double *counts = xcalloc(match->comparison.nr_units, sizeof(*counts)), sum = 0;
	size_t best = SIZE_MAX;

	*part = 0;
	for (size_t run = 0; run < match->frames.nr_runs; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->frames.runs[run].profile, &nr_samples);

		for (size_t i = 0; i < nr_samples && match->frames.runs[run].side == side; i++) {
			struct chain chain = chain__of(&match->frames, run, &samples[i]);
			struct subject *caller = find_caller(&chain, subject);

			if (!caller || chain__leaf(&chain, &match->frames)->machine)
				continue;
			sum += (double)samples[i].values[VALUE_COUNT];
			if (caller->self_unit != SIZE_MAX)
				counts[caller->self_unit] += (double)samples[i].values[VALUE_COUNT];
		}
	}
	for (size_t u = 0; u < match->comparison.nr_units; u++)
		if (counts[u] > 0 && (best == SIZE_MAX || counts[u] > counts[best]))
			best = u;
	if (best != SIZE_MAX)
		*part = counts[best] / sum;
	free(counts);
	return best;
}

/* The self unit of the nearest caller that is not in selves; SIZE_MAX: none. */
static size_t find_heir(const struct chain *chain, const bool *selves)
{
	for (size_t i = 1; i < chain->nr_frames; i++) {
		const size_t self = chain__subject(chain, i)->self_unit;

		if (self == SIZE_MAX || !selves[self])
			return self;
	}
	return SIZE_MAX;
}

void match__inherit(const struct match *match, const bool *selves, enum side side, double *samples)
{
	for (size_t run = 0; run < match->frames.nr_runs; run++) {
		size_t nr_samples;
		const struct sample *of_run =
			profile__samples(match->frames.runs[run].profile, &nr_samples);

		for (size_t i = 0; i < nr_samples && match->frames.runs[run].side == side; i++) {
			const struct chain chain = chain__of(&match->frames, run, &of_run[i]);
			const size_t self = chain__leaf(&chain, &match->frames)->self_unit;
			const size_t heir = self != SIZE_MAX && selves[self]
						    ? find_heir(&chain, selves)
						    : SIZE_MAX;

			if (heir != SIZE_MAX)
				samples[heir] += (double)of_run[i].values[VALUE_COUNT];
		}
	}
}

/* ---- stacks that are the same but for some functions ---- */

static bool is_left_out(const bool *left_out, size_t unit)
{
	return unit != SIZE_MAX && left_out[unit];
}

/*
 * Writes the frames of a stack without those of left_out to rest, which has room for all frames;
 * direct recursion counts as one frame. Returns the number of bytes.
 */
static size_t find_rest(const struct subject **rest, const struct chain *chain,
			const bool *left_out)
{
	size_t nr = 0;

	for (size_t i = 0; i < chain->nr_frames; i++) {
		const struct subject *subject = chain__subject(chain, i);
		const size_t unit = i && subject->total_unit != SIZE_MAX ? subject->total_unit
									 : subject->self_unit;

		if (!is_left_out(left_out, unit) && (!nr || rest[nr - 1] != subject))
			rest[nr++] = subject;
	}
	return nr * sizeof(*rest);
}

static void add_others(const struct match_stack *stack, enum side side, const bool *left_out,
		       double *const others[SIDES])
{
	for (size_t i = 0; i < stack->chain.nr_frames; i++) {
		const struct subject *subject = chain__subject(&stack->chain, i);
		const size_t units[] = {i ? SIZE_MAX : subject->self_unit, subject->total_unit};

		for (size_t kind = 0; kind < 2; kind++)
			if (is_left_out(left_out, units[kind]))
				others[side][units[kind]] += (double)stack->count;
	}
}

void match__exchange(const struct match *match, size_t unit, const bool *left_out,
		     double all[SIDES], double *const others[SIDES])
{
	const size_t nr_runs = match->frames.nr_runs;
	size_t capacity = 1;
	const struct subject **rest = xcalloc(capacity, sizeof(*rest));
	struct pool rests = {0};

	for (size_t i = 0; i < 2 * nr_runs; i++) {
		const bool collects = i < nr_runs;
		const size_t run = collects ? i : i - nr_runs;
		const enum side side = match->frames.runs[run].side;
		size_t nr_samples, nr_bytes;
		const struct sample *samples =
			profile__samples(match->frames.runs[run].profile, &nr_samples);

		for (size_t j = 0; j < nr_samples; j++) {
			struct match_stack stack = {
				.chain = chain__of(&match->frames, run, &samples[j]),
				.count = samples[j].values[VALUE_COUNT],
			};
			const bool is_in = find_frames(&stack, match, unit);

			if (chain__leaf(&stack.chain, &match->frames)->machine ||
			    (collects && !is_in))
				continue;
			array__reserve(&rest, &capacity, stack.chain.nr_frames);
			nr_bytes = find_rest(rest, &stack.chain, left_out);
			if (collects)
				pool__number(&rests, rest, nr_bytes);
			if (collects || pool__find_number(&rests, rest, nr_bytes) == ID_NONE)
				continue;
			all[side] += (double)stack.count;
			if (!is_in)
				add_others(&stack, side, left_out, others);
		}
	}
	pool__clear(&rests);
	free(rest);
}
