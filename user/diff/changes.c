// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the changes within a recording:
 *
 *	1 of 42 units changed: the last 1 min against 14 min before it
 *	before: 14 parts of 1 min, 91234 samples; last: 6543 samples
 *	...
 *	         before     last     change    95 % interval  confidence  phi
 *	changed   9.4 %   17.2 %   +98.8 %     +71 to +130 %     99.98 %  2.1  self   hot (server)
 *
 * All slices are joined to parts of the same length. The last part is "new" to the decision, which
 * learns phases from the others.
 */
#include "diff/changes.h"

#include <math.h>

#include "base/middle.h"
#include "diff/compare.h"

#define MAX_PARTS 240 /* before the last one; older slices are left out */

/* ---- parts ---- */

/* The recording as two runs. */
struct two_times {
	struct profile *before, *last;
	struct profile **parts; /* of before, oldest first */
	size_t nr_parts;
	size_t first, begin,
		end;   /* slices: before has first to begin - 1, last has begin to end - 1 */
	size_t length; /* slices in a part */
};

static int64_t end_of(const struct recording *recording, size_t slice)
{
	const struct slice_time time = recording__slice_time(recording, slice);

	return time.start_realtime_ns + (int64_t)time.duration_ns;
}

/* The first slice of the last part: at least half of it is within length_s. */
static size_t find_begin(const struct recording *recording, size_t nr_slices, double length_s)
{
	const int64_t end_ns = recording->slice_times ? end_of(recording, nr_slices - 1)
						      : recording__end_ns(recording);
	const int64_t begin_ns = end_ns - (int64_t)(length_s * 1e9);
	size_t begin = nr_slices - 1;

	while (begin) {
		const struct slice_time time = recording__slice_time(recording, begin - 1);

		if (time.start_realtime_ns + (int64_t)(time.duration_ns / 2) < begin_ns)
			break;
		begin--;
	}
	return begin;
}

static int add_slices(struct profile *sum, const struct recording *recording, size_t from,
		      size_t to)
{
	int code = 0;

	for (size_t i = from; i < to && i < recording->nr_slices && !code; i++)
		if (recording->slices[i])
			code = profile__merge(sum, recording->slices[i]);
	return code;
}

/* NULL: out of memory. */
static struct profile *sum_slices(const struct recording *recording, size_t from, size_t to)
{
	struct profile *sum =
		profile__new_like(recording->profile, profile__dictionary(recording->profile));

	if (!sum || !add_slices(sum, recording, from, to))
		return sum;
	profile__free(sum);
	return NULL;
}

static void free_cut(struct two_times *times)
{
	for (size_t i = 0; times->parts && i < times->nr_parts; i++)
		profile__free(times->parts[i]);
	free(times->parts);
	profile__free(times->before);
	profile__free(times->last);
}

static int make_parts(struct two_times *times, const struct recording *recording)
{
	times->parts = calloc(times->nr_parts, sizeof(*times->parts));
	times->before = sum_slices(recording, times->first, times->begin);
	times->last = sum_slices(recording, times->begin, times->end);
	if (!times->parts || !times->before || !times->last)
		return -ENOMEM;
	for (size_t i = 0; i < times->nr_parts; i++) {
		const size_t from = times->first + i * times->length;

		times->parts[i] = sum_slices(recording, from, from + times->length);
		if (!times->parts[i])
			return -ENOMEM;
	}
	return 0;
}

static double seconds_of(const struct recording *recording, size_t from, size_t to)
{
	uint64_t sum_ns = 0;

	for (size_t i = from; i < to; i++)
		sum_ns += recording__slice_time(recording, i).duration_ns;
	return (double)sum_ns / 1e9;
}

/* The longest last part that can be compared already, as "10s"; "": none. */
static void find_shorter(const struct two_times *times, const struct recording *recording,
			 char *text, size_t size)
{
	const size_t length = times->end / (MIN_PHASE_SLICES + 1);
	const double length_s = floor(seconds_of(recording, times->end - length, times->end));

	text[0] = '\0';
	if (length && length < times->length && length_s >= 1)
		snprintf(text, size, "%.0fs", length_s);
}

static int refuse_short(const struct two_times *times, const struct recording *recording,
			struct error *err)
{
	char kept[32], shorter[32];

	text__format_duration(kept, sizeof(kept),
			      (uint64_t)(seconds_of(recording, 0, times->end) * 1e9));
	find_shorter(times, recording, shorter, sizeof(shorter));
	error__say(err, EXIT_USAGE, -ENODATA,
		   "too little is known of before: it takes %d times as much as is compared, and "
		   "%s are there in all",
		   MIN_PHASE_SLICES, kept);
	if (!shorter[0])
		return error__remedy(err, "wait");
	return error__remedy(err, "wait, or compare less: topstacks last --diff %s", shorter);
}

static int cut_slices(struct two_times *times, const struct recording *recording, double length_s,
		      struct error *err)
{
	if (!recording->nr_slices)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "what came has no slices of time, so that nothing tells what was "
				  "last");
	times->end = recording__nr_pieces(recording);
	times->begin = find_begin(recording, times->end, length_s);
	times->length = times->end - times->begin;
	times->nr_parts = times->begin / times->length;
	if (times->nr_parts < MIN_PHASE_SLICES)
		return refuse_short(times, recording, err);
	if (times->nr_parts > MAX_PARTS)
		times->nr_parts = MAX_PARTS;
	times->first = times->begin - times->nr_parts * times->length;
	return make_parts(times, recording) ? error__no_memory(err) : 0;
}

/* ---- words ---- */

struct changes_view {
	FILE *out;
	const struct recording *recording;
	const struct two_times *times;
};

static bool is_changed(const struct finding *finding)
{
	return finding->verdict == VERDICT_REGRESSED || finding->verdict == VERDICT_IMPROVED;
}

static size_t count_changed(const struct diff_report *report)
{
	size_t nr = 0;

	for (size_t u = 0; u < report->decision->nr_units; u++)
		nr += is_changed(&report->decision->findings[u]);
	return nr;
}

static void print_name(FILE *out, const char *name, const char *module)
{
	middle__print(out, name, MIDDLE_MOST);
	if (!module)
		return;
	fputs(" (", out);
	text__print_safe(out, module, 0);
	fputs(")", out);
}

static int print_change(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	char phi[ROUNDED_SIZE];

	(void)report;
	if (!is_changed(row->finding))
		return 0;
	text__format_rounded(phi, 2, row->finding->phi);
	fprintf(out, "%-8s %8.1f %% %6.1f %%  %11s  %20s  %10s  %6s  %-5s  ", "changed",
		100 * row->finding->share[SIDE_BASE], 100 * row->finding->share[SIDE_NEW],
		row->change, row->interval, row->confidence, phi, row->kind);
	print_name(out, row->name, row->module);
	if (row->partner) {
		fprintf(out, "; %s ", row->remark);
		print_name(out, row->partner, row->partner_module);
	}
	fputs("\n", out);
	return 0;
}

static void print_assumptions(FILE *out, const struct decision *decision)
{
	char phi[ROUNDED_SIZE], tau[ROUNDED_SIZE], effect[ROUNDED_SIZE];

	text__format_rounded(phi, 2, decision->phi);
	text__format_rounded(tau, 2, 100 * decision->cv);
	fprintf(out,
		"phi %s: times as much as independent samples would, shares differ from part to "
		"part (the middle of all functions)\n",
		phi);
	fprintf(out,
		"tau %s %%: that they differ by so much more is assumed, not estimated: a finding "
		"is "
		"worth a look, no proof\n",
		tau);
	if (isfinite(decision->found_effect) && decision->found_effect < 100)
		fprintf(out,
			"a function with 10 %% that has no phases must become %s %% slower to be "
			"found (in 4 of 5 cases)\n",
			text__format_rounded(effect, 2, 100 * decision->found_effect));
}

/* "14 min", "14 min 10 s", "90 s". */
static void format_length(char *text, size_t size, double seconds)
{
	char *end;

	text__format_duration(text, size, (uint64_t)(seconds * 1e9));
	end = strstr(text, " 0 s");
	if (end && end[4] == '\0')
		*end = '\0';
}

static void print_summary(const struct changes_view *view, const struct diff_report *report)
{
	const struct two_times *times = view->times;
	const struct decision *decision = report->decision;
	const size_t nr = count_changed(report);
	char last[32], before[32];

	format_length(last, sizeof(last), seconds_of(view->recording, times->begin, times->end));
	format_length(before, sizeof(before),
		      seconds_of(view->recording, times->first, times->begin));
	if (!decision->nr_runs[SIDE_BASE] || !decision->nr_runs[SIDE_NEW])
		fprintf(view->out, "nothing compared: there are no samples of %s\n",
			decision->nr_runs[SIDE_BASE] ? "the last part" : "before");
	else if (nr)
		fprintf(view->out, "%zu of %zu units changed", nr, decision->nr_tested);
	else
		fprintf(view->out, "no change found in %zu units", decision->nr_tested);
	if (decision->nr_runs[SIDE_BASE] && decision->nr_runs[SIDE_NEW])
		fprintf(view->out, ": the last %s against %s before it\n", last, before);
	fprintf(view->out, "before: %zu parts of %s, %.0f samples; last: %.0f samples\n",
		times->nr_parts, last, decision->samples[SIDE_BASE], decision->samples[SIDE_NEW]);
	print_assumptions(view->out, decision);
}

static int write_changes(void *context, const struct diff_report *report, struct error *err)
{
	const struct changes_view *view = context;
	char heading[128];
	int code = 0;

	print_summary(view, report);
	snprintf(heading, sizeof(heading), "\n%-8s %10s %8s  %11s  %20s  %10s  %6s\n", "", "before",
		 "last", "change", "95 % interval", "confidence", "phi");
	if (count_changed(report))
		code = rows__print_shown(view->out, report, heading, print_change);
	return code ? error__no_memory(err) : 0;
}

/* ---- the whole ---- */

static int check_counts(const struct recording *recording, struct error *err)
{
	const struct metrics *metrics = profile__metrics(recording->profile);

	if (metrics->of[VALUE_COUNT].is_events || metrics__are_unset(metrics))
		return 0;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "what came holds no counts, so that nothing says how much is chance");
}

/* Sets no rules for a gate: findings never fail here. */
static int decide(struct changes_view *view, const struct changes_plan *plan, struct error *err)
{
	const struct run runs[SIDES] = {
		[SIDE_BASE] = {.profile = view->times->before,
			       .side = SIDE_BASE,
			       .slices = view->times->parts,
			       .nr_slices = view->times->nr_parts},
		[SIDE_NEW] = {.profile = view->times->last, .side = SIDE_NEW},
	};
	const struct diff_report said = {.nr_rows = plan->nr_rows};
	struct diff_config config;
	int code = diff_config__init(&config) ? error__no_memory(err) : 0;

	config.nr_rules = 0;
	config.decision.phases = true;
	if (!code)
		code = compare__decide(runs, SIDES, MATCH_FUNCTIONS, &config, &said, write_changes,
				       view, err);
	diff_config__fini(&config);
	return code;
}

int changes__write(FILE *out, const struct changes_plan *plan, const struct recording *recording,
		   struct error *err)
{
	struct two_times times = {0};
	struct changes_view view = {.out = out, .recording = recording, .times = &times};
	int code = check_counts(recording, err);

	if (!code)
		code = cut_slices(&times, recording, plan->length_s, err);
	if (!code)
		code = decide(&view, plan, err);
	free_cut(&times);
	return code;
}
