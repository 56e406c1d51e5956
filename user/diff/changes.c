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

/* The first slice of the last part: at least half of it is within length_s. */
static size_t find_begin(const struct recording *recording, size_t nr_slices, double length_s)
{
	const struct slice_time last = recording__slice_time(recording, nr_slices - 1);
	const int64_t end_ns = recording->slice_times
				       ? last.start_realtime_ns + (int64_t)last.duration_ns
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

static struct profile *sum_slices(const struct recording *recording, size_t from, size_t to)
{
	struct profile *sum =
		profile__new_like(recording->profile, profile__dictionary(recording->profile));

	for (size_t i = from; i < to && i < recording->nr_slices; i++)
		if (recording->slices[i])
			profile__merge(sum, recording->slices[i]);
	return sum;
}

static double seconds_of(const struct recording *recording, size_t from, size_t to)
{
	uint64_t sum_ns = 0;

	for (size_t i = from; i < to; i++)
		sum_ns += recording__slice_time(recording, i).duration_ns;
	return (double)sum_ns / 1e9;
}

/* Tells how to wait, or the longest last part that can be compared already. */
static int refuse_short(const struct two_times *times, const struct recording *recording,
			struct error *err)
{
	const size_t length = times->end / (MIN_PHASE_SLICES + 1);
	const double length_s = floor(seconds_of(recording, times->end - length, times->end));
	char kept[32];

	text__format_duration(kept, sizeof(kept),
			      (uint64_t)(seconds_of(recording, 0, times->end) * 1e9));
	error__say(err, EXIT_USAGE, -ENODATA,
		   "too little is known of before: it takes %d times as much as is compared, and "
		   "%s are there in all",
		   MIN_PHASE_SLICES, kept);
	if (!length || length >= times->length || length_s < 1)
		return error__remedy(err, "wait");
	return error__remedy(err, "wait, or compare less: topstacks last --diff %.0fs", length_s);
}

static int cut_slices(struct two_times *times, const struct recording *recording, double length_s,
		      struct error *err)
{
	if (!recording->nr_slices)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "the answer has no slices of time, so that nothing tells "
				  "what was last");
	times->end = recording__nr_pieces(recording);
	times->begin = find_begin(recording, times->end, length_s);
	times->length = times->end - times->begin;
	times->nr_parts = times->begin / times->length;
	if (times->nr_parts < MIN_PHASE_SLICES)
		return refuse_short(times, recording, err);
	if (times->nr_parts > MAX_PARTS)
		times->nr_parts = MAX_PARTS;
	times->first = times->begin - times->nr_parts * times->length;

	times->before = sum_slices(recording, times->first, times->begin);
	times->last = sum_slices(recording, times->begin, times->end);
	times->parts = xcalloc(times->nr_parts, sizeof(*times->parts));
	for (size_t i = 0; i < times->nr_parts; i++) {
		const size_t from = times->first + i * times->length;

		times->parts[i] = sum_slices(recording, from, from + times->length);
	}
	return 0;
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

static void print_change(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	char phi[ROUNDED_SIZE];

	(void)report;
	if (!is_changed(row->finding))
		return;
	text__format_rounded(phi, 2, row->finding->phi);
	fprintf(out, "%-8s %8.1f %% %6.1f %%  %11s  %20s  %10s  %6s  %-5s  ", "changed",
		100 * row->finding->share[SIDE_BASE], 100 * row->finding->share[SIDE_NEW],
		row->change, row->interval, row->confidence, phi, row->kind);
	report_text__print_name(out, row->name, row->module);
	if (row->partner) {
		fprintf(out, "; %s ", row->remark);
		report_text__print_name(out, row->partner, row->partner_module);
	}
	fputs("\n", out);
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

static int write_changes(void *context, const struct diff_report *report, struct error *err)
{
	const struct changes_view *view = context;
	const struct two_times *times = view->times;
	const struct decision *decision = report->decision;
	const size_t nr = count_changed(report);
	char last[32], before[32], rounded[ROUNDED_SIZE], heading[128];
	FILE *out = view->out;

	(void)err;

	format_length(last, sizeof(last), seconds_of(view->recording, times->begin, times->end));
	format_length(before, sizeof(before),
		      seconds_of(view->recording, times->first, times->begin));
	if (!decision->nr_runs[SIDE_BASE] || !decision->nr_runs[SIDE_NEW])
		fprintf(out, "nothing compared: there are no samples of %s\n",
			decision->nr_runs[SIDE_BASE] ? "the last part" : "before");
	else if (nr)
		fprintf(out, "%zu of %zu units changed", nr, decision->nr_tested);
	else
		fprintf(out, "no change found in %zu units", decision->nr_tested);
	if (decision->nr_runs[SIDE_BASE] && decision->nr_runs[SIDE_NEW])
		fprintf(out, ": the last %s against %s before it\n", last, before);
	fprintf(out, "before: %zu parts of %s, %.0f samples; last: %.0f samples\n", times->nr_parts,
		last, decision->samples[SIDE_BASE], decision->samples[SIDE_NEW]);

	fprintf(out,
		"phi %s: times as much as independent samples would, shares differ from part to "
		"part (the middle of all functions)\n",
		text__format_rounded(rounded, 2, decision->phi));
	fprintf(out,
		"tau %s %%: that they differ by so much more is assumed, not estimated: a finding "
		"is worth a look, no proof\n",
		text__format_rounded(rounded, 2, 100 * decision->cv));
	if (isfinite(decision->found_effect) && decision->found_effect < 100)
		fprintf(out,
			"a function with 10 %% that has no phases must become %s %% slower to be "
			"found (in 4 of 5 cases)\n",
			text__format_rounded(rounded, 2, 100 * decision->found_effect));

	snprintf(heading, sizeof(heading), "\n%-8s %10s %8s  %11s  %20s  %10s  %6s\n", "", "before",
		 "last", "change", "95 % interval", "confidence", "phi");
	if (nr)
		rows__print_shown(out, report, heading, print_change);
	return 0;
}

int changes__write(FILE *out, const struct changes_plan *plan, const struct recording *recording,
		   struct error *err)
{
	const struct metrics *metrics = profile__metrics(recording->profile);
	const struct diff_report said = {.nr_rows = plan->nr_rows};
	struct two_times times = {0};
	struct changes_view view = {.out = out, .recording = recording, .times = &times};
	struct run runs[SIDES] = {[SIDE_BASE].side = SIDE_BASE, [SIDE_NEW].side = SIDE_NEW};
	struct diff_config config;
	int code;

	if (!metrics->of[VALUE_COUNT].is_events && !metrics__are_unset(metrics))
		return error__say(
			err, EXIT_USAGE, -EINVAL,
			"what came holds no counts, so that nothing says how much is chance");
	code = cut_slices(&times, recording, plan->length_s, err);
	if (code)
		return code;

	runs[SIDE_BASE].profile = times.before;
	runs[SIDE_BASE].slices = times.parts;
	runs[SIDE_BASE].nr_slices = times.nr_parts;
	runs[SIDE_NEW].profile = times.last;
	diff_config__init(&config);
	config.nr_rules = 0; /* without rules for a gate, findings never fail */
	config.decision.phases = true;
	code = compare__decide(runs, SIDES, MATCH_FUNCTIONS, &config, &said, write_changes, &view,
			       err);
	diff_config__fini(&config);

	for (size_t i = 0; i < times.nr_parts; i++)
		profile__free(times.parts[i]);
	free(times.parts);
	profile__free(times.before);
	profile__free(times.last);
	return code;
}
