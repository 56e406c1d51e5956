// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stacks of a unit are split by their next function, inward or outward. Each group that carries
 * a part of the increase is split again, until no group does. The rest at each step is "other".
 *
 * Samples of new are compared with those that base would have had: `exposure` times as many as it
 * has, so that the unit changed as much as the decision says. So a path does not carry anything if
 * its share only fell because another path grew.
 */
#include "diff/reports/carriers.h"

#include <math.h>

#include "diff/matching/line_shift.h"
#include "diff/matching/match_frames.h"

#define LEAST_PART 0.05 /* of the increase: smaller parts are not listed */
#define SURE	   3.0	/* standard deviations of chance */
#define NEARLY_ALL 0.95 /* of a path's samples: a step of nearly all is not listed */
#define MOST_OF_IT 0.8	/* of a path's increase: least sum of the paths that it is split into */
#define AS_MUCH	   0.8	/* least part of the log ratio */
#define MOST_STEPS 64
#define ROUNDING   1e-9 /* largest rounding error in sums of parts */

/* A stack of the unit, walked from its frame of the unit to the root or to the leaf. */
struct traveller {
	struct match_stack stack;
	size_t at;
	const struct subject *next; /* NULL: at the end */
	/* Where the first step is made; by lines, the frame itself. NULL: none. */
	const struct frame *site;
	const char *file; /* of the site, if the function has several; NULL: no line */
	int64_t line;	  /* in terms of new, or from the start of the function */
};

struct increase {
	double samples[SIDES];
};

struct carrier_step {
	const struct subject *subject;
	bool tells; /* not nearly all samples take this step */
};

struct carrier_search {
	const struct decision *decision;
	const struct match *match;
	double exposure, phi;
	double whole;		  /* the unit's increase in samples */
	bool outward;		  /* toward the root */
	bool by_line;		  /* by line, without walking */
	double most;		  /* largest increase of one first step, in samples */
	const struct subject *to; /* the function of that step */
	struct traveller *travellers;
	size_t nr, capacity;
	struct carrier_step steps[MOST_STEPS];
	struct carriers *found;
};

/* ---- walking ---- */

static const struct subject *subject_at(const struct traveller *traveller)
{
	return chain__subject(&traveller->stack.chain, traveller->at);
}

static const struct frame *frame_at(const struct carrier_search *search,
				    const struct traveller *traveller)
{
	const struct profile *profile =
		match__comparison(search->match)->runs[traveller->stack.run].profile;

	return dictionary__frame(profile__dictionary(profile),
				 traveller->stack.chain.frames[traveller->at]);
}

/*
 * Goes to the next frame of another subject: direct recursion is one step. The site of a call is a
 * line in the caller: outward the frame after the step, inward the one before.
 */
static void go_on(const struct carrier_search *search, struct traveller *traveller, size_t depth)
{
	const struct frame *from = frame_at(search, traveller);
	const struct subject *subject = subject_at(traveller);
	const size_t last = search->outward ? traveller->stack.chain.nr_frames - 1 : 0;
	bool moves = false;

	while (!search->by_line && !moves && traveller->at != last) {
		traveller->at += search->outward ? 1 : (size_t)-1;
		moves = subject_at(traveller) != subject;
	}
	traveller->next = moves ? subject_at(traveller) : NULL;
	if (!depth)
		traveller->site = !search->outward || search->by_line ? from
				  : moves			      ? frame_at(search, traveller)
								      : NULL;
}

static void add_traveller(void *context, const struct match_stack *stack)
{
	struct carrier_search *search = context;

	array__reserve(&search->travellers, &search->capacity, search->nr + 1);
	search->travellers[search->nr++] = (struct traveller){
		.stack = *stack,
		.at = search->outward && !search->by_line ? stack->outermost : stack->first};
}

/* ---- the increase of a group ---- */

static enum side side_of(const struct carrier_search *search, const struct traveller *traveller)
{
	return match__comparison(search->match)->runs[traveller->stack.run].side;
}

static struct increase sum_up(const struct carrier_search *search,
			      const struct traveller *travellers, size_t nr)
{
	struct increase sum = {0};

	for (size_t i = 0; i < nr; i++)
		sum.samples[side_of(search, &travellers[i])] += (double)travellers[i].stack.count;
	return sum;
}

static double difference(const struct carrier_search *search, const struct increase *sum)
{
	return sum->samples[SIDE_NEW] - search->exposure * sum->samples[SIDE_BASE];
}

static double square(double x)
{
	return x * x;
}

/* True if a difference is large, and beyond the chance of samples and of runs. */
static bool carries(const struct carrier_search *search, const struct increase *sum)
{
	const struct decision *decision = search->decision;
	const double new = sum->samples[SIDE_NEW], base = sum->samples[SIDE_BASE];
	const double variance = search->phi * (new + square(search->exposure) * base) +
				square(decision->cv) * (square(new) / decision->nr_runs[SIDE_NEW] +
							square(search->exposure * base) /
								decision->nr_runs[SIDE_BASE]);
	const double size = fabs(difference(search, sum));

	return size >= LEAST_PART * search->whole && size > SURE * sqrt(variance);
}

/* ---- lines ---- */

/* Code without a line has line 0. */
static bool has_line(const struct frame *site)
{
	return site && site->file && site->line;
}

static int by_site(const void *left, const void *right)
{
	const struct traveller *a = left, *b = right;
	int order;

	if (!a->file || !b->file)
		return (a->file == NULL) - (b->file == NULL);
	order = strcmp(a->file, b->file);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

/*
 * Makes lines of base and new comparable, and sorts by them. Lines are counted from the start of
 * the function, so that lines inserted above it, or a new name of the file, change nothing. If
 * starts are not known, lines of base are shifted to where they fit best. A function with code in
 * several files, by macros, keeps its lines.
 */
static void sort_by_site(const struct carrier_search *search, struct traveller *travellers,
			 size_t nr)
{
	const char *files[SIDES] = {NULL, NULL};
	bool are_several = false; /* files, on a side */
	bool have_starts = true;
	struct line_counts counts[SIDES] = {0};
	int64_t shift = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct frame *site = travellers[i].site;
		const char **file = &files[side_of(search, &travellers[i])];

		if (!has_line(site))
			continue;
		are_several |= *file && strcmp(*file, site->file) != 0;
		have_starts &= site->start_line > 0;
		*file = site->file;
	}
	for (size_t i = 0; i < nr && !are_several && !have_starts; i++)
		if (has_line(travellers[i].site))
			line_counts__add(&counts[side_of(search, &travellers[i])],
					 travellers[i].site->line,
					 (double)travellers[i].stack.count);
	if (counts[SIDE_BASE].nr && counts[SIDE_NEW].nr)
		shift = line_counts__shift(&counts[SIDE_BASE], &counts[SIDE_NEW]);
	for (size_t i = 0; i < nr; i++) {
		const struct frame *site = travellers[i].site;

		travellers[i].file = !has_line(site) ? NULL : are_several ? site->file : "";
		if (has_line(site))
			travellers[i].line =
				site->line - (int64_t)(have_starts ? site->start_line : 0) +
				(side_of(search, &travellers[i]) == SIDE_BASE ? shift : 0);
	}
	qsort(travellers, nr, sizeof(*travellers), by_site);
}

/*
 * True if samples at a line decreased although the unit's increased. Then a line was likely
 * inserted in the function, and no line can be compared with itself.
 */
static bool has_shifted(const struct carrier_search *search, const struct increase *sum)
{
	return difference(search, sum) < 0 && carries(search, sum);
}

static size_t end_of_site(const struct traveller *travellers, size_t begin, size_t nr)
{
	size_t end = begin + 1;

	while (end < nr && !by_site(&travellers[begin], &travellers[end]))
		end++;
	return end;
}

/* A site of new, if there is one. */
static const struct frame *shown_site(const struct carrier_search *search,
				      const struct traveller *travellers, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (side_of(search, &travellers[i]) == SIDE_NEW)
			return travellers[i].site;
	return travellers[0].site;
}

/* Sets the line with more than half of the increase. */
static void find_line(const struct carrier_search *search, struct carrier *carrier,
		      struct traveller *travellers, size_t nr, double whole)
{
	const struct frame *found = NULL;
	bool shifted = false;

	sort_by_site(search, travellers, nr);
	for (size_t i = 0, end; i < nr; i = end) {
		const struct frame *site = travellers[i].site;
		struct increase sum;

		end = end_of_site(travellers, i, nr);
		sum = sum_up(search, &travellers[i], end - i);
		if (!has_line(site))
			continue;
		shifted |= has_shifted(search, &sum);
		if (difference(search, &sum) / whole > 0.5)
			found = shown_site(search, &travellers[i], end - i);
	}
	if (found && !shifted) {
		carrier->file = found->file;
		carrier->line = found->line;
	}
}

/* ---- paths ---- */

/*
 * Names the carrier's path: the functions that distinguish paths, and the first step; NULL stands
 * for two or more other steps. If the path is too long, its middle is left out. Steps outward are
 * reversed.
 */
static void name_steps(const struct carrier_search *search, struct carrier *carrier,
		       size_t nr_steps)
{
	const struct carrier_step *steps = search->steps;
	const char *names[MOST_STEPS] = {NULL};
	size_t nr = 0;

	while (nr_steps > 1 && !steps[nr_steps - 1].tells)
		nr_steps--;
	for (size_t i = 0; i < nr_steps; i++) {
		size_t end = i;

		while (end && !steps[end].tells)
			end++;
		names[nr++] = end > i + 1 ? NULL : steps[i].subject->name;
		i = end > i + 1 ? end - 1 : i;
	}
	carrier->nr_names = nr < MOST_CARRIER_NAMES ? nr : MOST_CARRIER_NAMES;
	for (size_t i = 0; i < carrier->nr_names; i++) {
		const char *name = i ? names[nr - carrier->nr_names + i] : names[0];

		if (i == 1 && nr > MOST_CARRIER_NAMES)
			name = NULL;
		carrier->names[search->outward ? carrier->nr_names - 1 - i : i] = name;
	}
}

/* Inserts a carrier, sorted by part. If there are too many, the smallest one goes to `other`. */
static void add_carrier(struct carriers *found, const struct carrier *carrier)
{
	size_t at = found->nr;

	while (at && fabs(found->of[at - 1].part) < fabs(carrier->part))
		at--;
	if (found->nr == MOST_CARRIERS) {
		found->other += at == found->nr ? carrier->part : found->of[found->nr - 1].part;
		if (at == found->nr)
			return;
		found->nr--;
	}
	memmove(&found->of[at + 1], &found->of[at], (found->nr - at) * sizeof(found->of[0]));
	found->of[at] = *carrier;
	found->nr++;
}

static void tell(struct carrier_search *search, struct traveller *travellers, size_t nr,
		 size_t nr_steps)
{
	const struct increase sum = sum_up(search, travellers, nr);
	struct carrier carrier = {.part = difference(search, &sum) / search->whole};

	if (!nr_steps && search->outward) {
		search->found->other += carrier.part;
		return;
	}
	name_steps(search, &carrier, nr_steps);
	find_line(search, &carrier, travellers, nr, difference(search, &sum));
	add_carrier(search->found, &carrier);
}

static int by_next(const void *left, const void *right)
{
	const struct subject *a = ((const struct traveller *)left)->next;
	const struct subject *b = ((const struct traveller *)right)->next;
	int order;

	if (!a || !b || a == b)
		return (a != NULL) - (b != NULL);
	order = strcmp(a->name, b->name);
	return order ? order : strcmp(a->module ? a->module : "", b->module ? b->module : "");
}

static size_t end_of_group(const struct traveller *travellers, size_t begin, size_t nr)
{
	size_t end = begin + 1;

	while (end < nr && travellers[end].next == travellers[begin].next)
		end++;
	return end;
}

/* The result of one step: groups of stacks with the same next function. */
struct parting {
	size_t nr_carrying; /* groups with a part of the increase */
	double carried;	    /* increase of these, in samples */
	double most;	    /* largest one that has a next function */
	const struct subject *to;
};

static struct parting part_ways(struct carrier_search *search, struct traveller *travellers,
				size_t nr, size_t depth)
{
	struct parting parting = {0};

	for (size_t i = 0; i < nr; i++)
		go_on(search, &travellers[i], depth);
	qsort(travellers, nr, sizeof(*travellers), by_next);
	for (size_t i = 0, end; i < nr; i = end) {
		struct increase sum;

		end = end_of_group(travellers, i, nr);
		sum = sum_up(search, &travellers[i], end - i);
		if (!carries(search, &sum))
			continue;
		parting.nr_carrying++;
		parting.carried += difference(search, &sum);
		if (travellers[i].next && difference(search, &sum) > parting.most) {
			parting.most = difference(search, &sum);
			parting.to = travellers[i].next;
		}
	}
	return parting;
}

/* True if a path is to be split: its groups carry most of its part, and there is room for them. */
static bool is_split(const struct carrier_search *search, const struct parting *parting,
		     const struct increase *all, size_t depth, size_t room)
{
	const double whole = difference(search, all);

	return depth < MOST_STEPS &&
	       (!depth || (parting->nr_carrying && parting->nr_carrying <= room &&
			   parting->carried / whole >= MOST_OF_IT));
}

static bool has_others(const struct carrier_search *search, const struct increase *all,
		       const struct increase *part)
{
	const double e = search->exposure;

	return part->samples[SIDE_NEW] + e * part->samples[SIDE_BASE] <
	       NEARLY_ALL * (all->samples[SIDE_NEW] + e * all->samples[SIDE_BASE]);
}

/*
 * Splits stacks into at most `room` paths. First steps are always split; the smallest ones are
 * dropped if there are too many.
 */
static void split(struct carrier_search *search, struct traveller *travellers, size_t nr,
		  size_t depth, size_t room)
{
	const struct increase all = sum_up(search, travellers, nr);
	struct parting parting = {0};

	if (depth < MOST_STEPS)
		parting = part_ways(search, travellers, nr, depth);
	if (!depth) {
		search->most = parting.most;
		search->to = parting.to;
	}
	if (!is_split(search, &parting, &all, depth, room)) {
		tell(search, travellers, nr, depth);
		return;
	}
	for (size_t i = 0, end; i < nr; i = end) {
		const size_t nr_found = search->found->nr;
		struct increase sum;

		end = end_of_group(travellers, i, nr);
		sum = sum_up(search, &travellers[i], end - i);
		if (!carries(search, &sum)) {
			search->found->other += difference(search, &sum) / search->whole;
			continue;
		}
		parting.nr_carrying--;
		if (!travellers[i].next) {
			/*
			 * Stacks that end here, beside others that go on, count for the function
			 * here.
			 */
			struct carrier_step here = {0},
					    *last = depth ? &search->steps[depth - 1] : &here;
			const bool told = last->tells;

			last->tells |= has_others(search, &all, &sum);
			tell(search, &travellers[i], end - i, depth);
			last->tells = told;
		} else {
			search->steps[depth] =
				(struct carrier_step){.subject = travellers[i].next,
						      .tells = has_others(search, &all, &sum)};
			split(search, &travellers[i], end - i, depth + 1,
			      room > parting.nr_carrying ? room - parting.nr_carrying : 1);
		}
		room -= room ? search->found->nr - nr_found : 0;
	}
}

/* Adds each line with a part of the increase. */
static void split_lines(struct carrier_search *search)
{
	struct traveller *travellers = search->travellers;
	bool shifted = false;

	for (size_t i = 0; i < search->nr; i++)
		go_on(search, &travellers[i], 0);
	sort_by_site(search, travellers, search->nr);
	for (size_t i = 0, end; i < search->nr; i = end) {
		const struct frame *site = travellers[i].site;
		struct increase sum;

		end = end_of_site(travellers, i, search->nr);
		sum = sum_up(search, &travellers[i], end - i);
		if (!has_line(site) || !carries(search, &sum)) {
			search->found->other += difference(search, &sum) / search->whole;
			continue;
		}
		shifted |= has_shifted(search, &sum);
		site = shown_site(search, &travellers[i], end - i);
		add_carrier(search->found,
			    &(struct carrier){.file = site->file,
					      .line = site->line,
					      .part = difference(search, &sum) / search->whole});
	}
	if (shifted)
		*search->found = (struct carriers){0};
}

/* ---- a unit ---- */

static void find(struct carrier_search *search, struct carriers *found, size_t unit)
{
	struct increase all;

	*found = (struct carriers){0};
	search->found = found;
	search->nr = 0;
	match__visit(search->match, unit, add_traveller, search);
	all = sum_up(search, search->travellers, search->nr);
	search->whole = difference(search, &all);
	if (!(search->whole > 0))
		return;
	if (search->by_line)
		split_lines(search);
	else
		split(search, search->travellers, search->nr, 0, MOST_CARRIERS);
	if (fabs(found->other) < ROUNDING)
		found->other = 0;
}

/*
 * True if nearly all of the increase goes to one callee, and that became about as much slower. A
 * callee with many other callers did not; then this unit is the one to look at.
 */
static bool passes_on(const struct carrier_search *search, size_t unit)
{
	const struct finding *findings = search->decision->findings;
	size_t callee;

	if (search->most < NEARLY_ALL * search->whole || !search->to)
		return false;
	callee =
		search->to->total_unit != SIZE_MAX ? search->to->total_unit : search->to->self_unit;
	return callee != SIZE_MAX && findings[callee].verdict == VERDICT_REGRESSED &&
	       findings[callee].log_ratio >= AS_MUCH * findings[unit].log_ratio;
}

bool explanation__is_due(const struct match *match, const struct decision *decision, size_t unit)
{
	return match__has_callers(match) && decision->findings[unit].verdict == VERDICT_REGRESSED;
}

void explanation__find(struct explanation *explanation, const struct match *match,
		       const struct decision *decision, size_t unit)
{
	const struct finding *finding = &decision->findings[unit];
	const bool is_self = match__comparison(match)->units[unit].kind == UNIT_SELF;
	struct carrier_search search = {
		.decision = decision,
		.match = match,
		/* So many times as many samples has new as base, but for the unit's own change. */
		.exposure = (finding->samples[SIDE_NEW] + 0.5) /
			    (finding->samples[SIDE_BASE] + 0.5) / exp(finding->log_ratio),
		.phi = finding->phi,
		.outward = true,
	};

	*explanation = (struct explanation){0};
	find(&search, &explanation->callers, unit);
	/* If a total has a single caller, only the callees are worth telling. */
	if (!is_self && explanation->callers.nr == 1 &&
	    explanation->callers.of[0].part > NEARLY_ALL)
		explanation->callers.nr = 0;
	search.outward = false;
	search.by_line = is_self;
	find(&search, is_self ? &explanation->lines : &explanation->callees, unit);
	explanation->passes_on = !is_self && passes_on(&search, unit);
	free(search.travellers);
}
