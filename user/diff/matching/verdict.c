// SPDX-License-Identifier: GPL-2.0-only
/*
 * From findings to an exit code. A compiler that inlines a function today and not tomorrow moves
 * its cost. Neither the function nor its caller became slower, and together they show it:
 *
 *	      before            after
 *   parse      self 10  all 30   self 25  all 30    regressed, but not with its callees
 *   skip       self 15           gone               improved, but not with its caller
 */
#include "diff/matching/verdict.h"

#include <math.h>

#include "diff/matching/match.h"

/* part of a unit's samples that come from the caller into which it may be inlined */
#define MAIN_CALLER 0.9
#define CERTAIN	    1.96 /* standard deviations: 95 % */

const char *verdict__name(enum verdict verdict)
{
	static const char *const names[VERDICTS] = {
		[VERDICT_NOT_COMPARED] = "not compared",
		[VERDICT_REGRESSED] = "regressed",
		[VERDICT_IMPROVED] = "improved",
		[VERDICT_UNCHANGED] = "unchanged",
		[VERDICT_NOT_ENOUGH] = "not enough samples",
	};

	return names[verdict];
}

/* ---- rules ---- */

static bool skip_word(const char **text, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*text, word, length) != 0)
		return false;
	*text += length;
	return true;
}

int gate_rule__parse(struct gate_rule *rule, const char *text, struct error *err)
{
	const char *rest = text;
	struct quoted quoted;
	bool is_rule = true;

	*rule = (struct gate_rule){.self = true, .total = true};
	if (skip_word(&rest, "regressed"))
		rule->verdict = VERDICT_REGRESSED;
	else if (skip_word(&rest, "improved"))
		rule->verdict = VERDICT_IMPROVED;
	else
		is_rule = false;
	if (skip_word(&rest, ":self"))
		rule->total = false;
	else if (skip_word(&rest, ":total"))
		rule->self = false;
	if (skip_word(&rest, ">")) {
		char *end = (char *)rest;

		if (*rest && strchr("0123456789.", *rest))
			rule->above = strtod(rest, &end) / 100;
		is_rule &= !strcmp(end, "%") && end > rest && isfinite(rule->above);
		rest = end + strlen(end);
	}
	if (is_rule && !*rest)
		return 0;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "%s says no verdict; say regressed or improved, then perhaps :self or "
			  ":total, then perhaps a bound like >5%%",
			  quote(&quoted, text));
}

static bool matches(const struct gate_rule *rule, const struct finding *finding,
		    enum unit_kind kind)
{
	if (finding->verdict != rule->verdict)
		return false;
	if (kind == UNIT_SELF ? !rule->self : !rule->total)
		return false;
	return fabs(expm1(finding->log_ratio)) > rule->above;
}

/* ---- moved cost ---- */

static bool is_opposite(enum verdict a, enum verdict b)
{
	return (a == VERDICT_REGRESSED && b == VERDICT_IMPROVED) ||
	       (a == VERDICT_IMPROVED && b == VERDICT_REGRESSED);
}

static bool has_changed(const struct finding *finding)
{
	return finding->verdict == VERDICT_REGRESSED || finding->verdict == VERDICT_IMPROVED;
}

static bool is_one_sided(const struct finding *finding)
{
	return (finding->samples[SIDE_BASE] > 0) != (finding->samples[SIDE_NEW] > 0);
}

/* The growth of a unit as a part of all samples, if nothing else changed. */
static double growth(const struct finding *finding)
{
	double share = finding->share[SIDE_BASE];

	return share > 0 ? share * expm1(finding->log_ratio) : finding->share[SIDE_NEW];
}

/*
 * True if the function with its callees surely changed by less than half of this. A verdict of
 * "unchanged" is not enough: 5 % of a large function hide the doubling of a small one in it.
 */
static bool is_still(const struct match *match, const struct decision *decision, size_t self,
		     double change)
{
	size_t total = match__unit(match, self).twin;
	const struct finding *finding;

	if (total == SIZE_MAX || decision->findings[total].untested != TESTED)
		return false;
	finding = &decision->findings[total];
	return !is_one_sided(finding) &&
	       finding->share[SIDE_BASE] * (finding->high - 1) < fabs(change) / 2 &&
	       finding->share[SIDE_BASE] * (finding->low - 1) > -fabs(change) / 2;
}

/*
 * The function with which this one exchanged its cost; itself if that is not known; SIZE_MAX: no
 * cost moved.
 */
static size_t find_partner(const struct match *match, const struct decision *decision, size_t unit)
{
	const struct finding *finding = &decision->findings[unit];
	enum side side = finding->verdict == VERDICT_REGRESSED ? SIDE_NEW : SIDE_BASE;
	double change = growth(finding), part;
	size_t caller = match__caller(match, unit, side, &part);

	if (caller != SIZE_MAX && part >= MAIN_CALLER &&
	    is_opposite(finding->verdict, decision->findings[caller].verdict) &&
	    is_still(match, decision, caller, change))
		return caller;
	if (match__comparison(match)->units[unit].kind == UNIT_SELF &&
	    is_still(match, decision, unit, change))
		return unit;
	return SIZE_MAX;
}

/*
 * Finds cost that moved by inlining: a callee that was inlined is gone, and its caller has as much
 * more; a callee that no longer is inlined is new, and its caller has as much less. It also works
 * for several callees at once, and for a caller that is in all stacks, as main is, and has no
 * reference left to measure its total.
 */
static void find_inherited(struct outcome *outcome, const struct match *match,
			   const struct decision *decision)
{
	const struct unit *units = match__comparison(match)->units;
	bool *selves = xcalloc(decision->nr_units, sizeof(*selves)); /* of one side only */
	double *samples = xcalloc(decision->nr_units, sizeof(*samples));

	for (enum side side = 0; side < SIDES; side++) {
		const enum verdict verdict =
			side == SIDE_BASE ? VERDICT_REGRESSED : VERDICT_IMPROVED;

		memset(samples, 0, decision->nr_units * sizeof(*samples));
		for (size_t u = 0; u < decision->nr_units; u++)
			selves[u] = units[u].kind == UNIT_SELF &&
				    decision->findings[u].samples[side] > 0 &&
				    decision->findings[u].samples[!side] == 0;
		match__inherit(match, selves, side, samples);
		for (size_t u = 0; u < decision->nr_units; u++) {
			const struct finding *finding = &decision->findings[u];
			const double change = fabs(growth(finding));
			const double inherited = samples[u] / decision->samples[side];

			if (finding->verdict == verdict && outcome->moved[u] == SIZE_MAX &&
			    units[u].kind == UNIT_SELF && fabs(change - inherited) < change / 2)
				outcome->moved[u] = u;
		}
	}
	free(selves);
	free(samples);
}

/* ---- exchanged work ---- */

/* How much longer new was looked at than base, by what did not change; 0: all changed. */
static double find_exposure(const struct match *match, const struct decision *decision)
{
	const struct comparison *comparison = match__comparison(match);
	const bool is_of_rates = comparison__is_of_rates(comparison);
	double sums[SIDES] = {0};

	for (size_t run = 0; run < comparison->nr_runs && is_of_rates; run++)
		sums[comparison->runs[run].side] += comparison->runs[run].divisor;
	for (size_t u = 0; u < decision->nr_units && !is_of_rates; u++) {
		const struct finding *finding = &decision->findings[u];

		if (comparison->units[u].kind == UNIT_TOTAL || comparison->units[u].machine ||
		    finding->changed || has_changed(finding) || is_one_sided(finding))
			continue;
		for (enum side side = 0; side < SIDES; side++)
			sums[side] += finding->samples[side];
	}
	return sums[SIDE_BASE] > 0 ? sums[SIDE_NEW] / sums[SIDE_BASE] : 0;
}

/* True if the samples of these stacks changed, with 95 % certainty, by less than half of change. */
static bool are_kept(const struct decision *decision, const double all[SIDES], double exposure,
		     double change)
{
	const double expected = exposure * all[SIDE_BASE];
	double variance = 0;

	for (enum side side = 0; side < SIDES; side++) {
		if (!(all[side] > 0) || !decision->nr_runs[side])
			return false;
		variance += decision->phi / all[side] +
			    decision->cv * decision->cv / (double)decision->nr_runs[side];
	}
	return fabs(all[SIDE_NEW] - expected) + CERTAIN * sqrt(variance) * expected <
	       fabs(change) / 2;
}

/*
 * Returns the unit of the same kind that changed most the other way in these stacks; the unit
 * itself if there is no such unit.
 */
static size_t find_exchanged_with(const struct match *match, size_t unit, double change,
				  double *const others[SIDES], double exposure, size_t nr_units)
{
	const struct unit *units = match__comparison(match)->units;
	double most = 0;
	size_t best = unit;

	for (size_t u = 0; u < nr_units; u++) {
		const double by = others[SIDE_NEW][u] - exposure * others[SIDE_BASE][u];

		if (units[u].kind == units[unit].kind && by * change < 0 && fabs(by) > most) {
			most = fabs(by);
			best = u;
		}
	}
	return best;
}

/*
 * A function that was split, or merged into another, is new or gone, but callers above it and
 * leaves below it have as many samples in these stacks as before:
 *
 *	mix 30  pack 30  main	->	mix 17  pack_a 17  main
 *					mix 13  pack_b 13  main
 *
 *	pack_a: +17, but below main and above mix ±0
 */
static void find_exchanged(struct outcome *outcome, const struct match *match,
			   const struct decision *decision)
{
	const double exposure = find_exposure(match, decision);
	const size_t nr = decision->nr_units;
	bool *chosen = xcalloc(nr, sizeof(*chosen));
	double *counts = xcalloc(SIDES * nr, sizeof(*counts));
	double *const others[SIDES] = {counts, counts + nr};

	for (size_t u = 0; u < nr && exposure > 0; u++) {
		const struct finding *finding = &decision->findings[u];
		const double change =
			finding->samples[SIDE_NEW] - exposure * finding->samples[SIDE_BASE];
		double all[SIDES] = {0};

		if (!has_changed(finding) || outcome->moved[u] != SIZE_MAX)
			continue;
		/*
		 * Work may have been exchanged with all units that only one side has and, if this
		 * unit is one of these, with those that changed the other way. Two units that both
		 * sides have never exchange work: one may be slower and the other one faster.
		 */
		for (size_t i = 0; i < nr; i++) {
			const struct finding *other = &decision->findings[i];

			chosen[i] =
				!match__comparison(match)->units[i].machine &&
				(i == u || i == match__unit(match, u).twin || is_one_sided(other) ||
				 (is_one_sided(finding) &&
				  is_opposite(finding->verdict, other->verdict)));
		}
		memset(counts, 0, SIDES * nr * sizeof(*counts));
		match__exchange(match, u, chosen, all, others);
		if (are_kept(decision, all, exposure, change))
			outcome->moved[u] =
				find_exchanged_with(match, u, change, others, exposure, nr);
	}
	free(chosen);
	free(counts);
}

/* ---- outcome ---- */

void outcome__init(struct outcome *outcome, const struct match *match,
		   const struct decision *decision, const struct gate_rule *rules, size_t nr_rules)
{
	*outcome = (struct outcome){
		.moved = xcalloc(decision->nr_units, sizeof(*outcome->moved)),
		.fails = xcalloc(decision->nr_units, sizeof(*outcome->fails)),
	};
	for (size_t u = 0; u < decision->nr_units; u++)
		outcome->moved[u] = has_changed(&decision->findings[u])
					    ? find_partner(match, decision, u)
					    : SIZE_MAX;
	/* Tells each caller which unit moved into it or out of it. */
	for (size_t u = 0; u < decision->nr_units; u++) {
		size_t caller = outcome->moved[u];

		if (caller != SIZE_MAX && caller != u && outcome->moved[caller] == caller)
			outcome->moved[caller] = u;
	}
	if (match__has_callers(match)) {
		find_inherited(outcome, match, decision);
		find_exchanged(outcome, match, decision);
	}
	for (size_t u = 0; u < decision->nr_units; u++) {
		enum unit_kind kind = match__comparison(match)->units[u].kind;

		for (size_t i = 0; i < nr_rules && outcome->moved[u] == SIZE_MAX; i++)
			outcome->fails[u] |= matches(&rules[i], &decision->findings[u], kind);
		outcome->nr_failing += outcome->fails[u];
	}
}

void outcome__add_run(struct outcome *outcome, const struct totals *totals,
		      const struct gate_rule *rules, size_t nr_rules)
{
	for (size_t i = 0; i < nr_rules; i++)
		outcome->run_fails |= rules[i].total && rules[i].verdict == totals->verdict &&
				      fabs(totals->ratio - 1) > rules[i].above;
	outcome->nr_failing += outcome->run_fails;
}

void outcome__fini(struct outcome *outcome)
{
	free(outcome->fails);
	free(outcome->moved);
	*outcome = (struct outcome){0};
}

enum exit_code outcome__exit_code(const struct outcome *outcome, const struct decision *decision,
				  double required_power)
{
	if (outcome->nr_failing)
		return EXIT_GATE;
	if (!decision->nr_runs[SIDE_BASE] || !decision->nr_runs[SIDE_NEW])
		return EXIT_USAGE;
	if (required_power > 0 && decision->found_effect > required_power)
		return EXIT_USAGE;
	return EXIT_DONE;
}
