// SPDX-License-Identifier: GPL-2.0-only
/*
 * Are the samples credible, and are there enough? Each reason is a function; the worst verdict
 * counts.
 */
#include <math.h>

#include "base/markdown.h"
#include "profile/recording.h"
#include "views/answer_parts.h"
#include "views/events.h"
#include "views/rate.h"
#include "views/summary.h"

enum worth {
	WORTH_GOOD,
	WORTH_LIMITED,
	WORTH_POOR,
};

/*
 * limited: percent from which on conclusions are limited; poor: from which on none should be drawn.
 */
static enum worth judge(double percent, double limited, double poor)
{
	return percent >= poor ? WORTH_POOR : percent >= limited ? WORTH_LIMITED : WORTH_GOOD;
}

#define FEW_SAMPLES	 400 /* a share of one half has an error of 5 points */
#define TOO_FEW_SAMPLES	 40
#define LIMITED_COVERAGE 3 /* percent of the CPU time without samples */

/* ---- aspects: each is judged, and has a few words if it is worth mentioning ---- */

static enum worth judge_number(const struct answer_data *answer, char *text, size_t size)
{
	const struct recording *recording = answer->recording;
	const uint64_t nr = answer->nr_samples;
	char number[32];

	if (heap__has_blocks(recording) && recording->period == 1) {
		snprintf(text, size, "each block is counted");
		return WORTH_GOOD;
	}
	if (profile__shown_total(recording->profile) && !certainty__counts_samples(recording) &&
	    !(heap__samples(recording, 1) > 0)) {
		snprintf(text, size, "the files do not say how many samples there were");
		return WORTH_LIMITED;
	}
	if (!nr && profile__total(recording->profile, VALUE_COUNT)) {
		snprintf(text, size, "how sure a share is, is not known");
		return WORTH_LIMITED;
	}
	text__format_count(number, sizeof(number), nr);
	snprintf(text, size, "%s%s sample%s%s", nr < FEW_SAMPLES ? "only " : "", number,
		 text__plural(nr),
		 profile__is_spent(answer->profile) ? " of equal weight, by what they tell" : "");
	return nr < TOO_FEW_SAMPLES ? WORTH_POOR : nr < FEW_SAMPLES ? WORTH_LIMITED : WORTH_GOOD;
}

static enum worth judge_losses(const struct answer_data *answer, char *text, size_t size)
{
	const struct ledger *ledger = &answer->recording->ledger;
	const uint64_t lost = ledger__lost(ledger);
	const double percent = share_percent(lost, ledger->counted + lost);

	if (!answer->recording->has_ledger) {
		snprintf(text, size, "whether any were lost is not known");
		return WORTH_GOOD; /* another profiler's file: having no ledger is no fault of it */
	}
	if (!ledger__balances(ledger)) {
		snprintf(text, size, "the ledger does not balance");
		return WORTH_POOR;
	}
	if (lost)
		snprintf(text, size, "%.1f %% lost", percent);
	else
		snprintf(text, size, "none lost");
	return judge(percent, 1, 10);
}

static enum worth judge_coverage(const struct answer_data *answer, char *text, size_t size)
{
	const struct recording *recording = answer->recording;
	const double coverage = event__coverage(recording);
	const double missing = 100 - coverage;
	const double chance =
		recording->ledger.counted ? 200 / sqrt((double)recording->ledger.counted) : 100;

	if (!recording->has_ledger || coverage < 0 || event__is_counted(recording) ||
	    ledger__has_wall(&recording->ledger) || missing < LIMITED_COVERAGE || missing <= chance)
		return WORTH_GOOD;
	snprintf(text, size, "%.0f %% of the CPU time without samples", missing);
	return judge(missing, LIMITED_COVERAGE, 20);
}

static enum worth judge_stacks(const struct answer_data *answer, char *text, size_t size)
{
	const struct ledger *ledger = &answer->recording->ledger;
	const uint64_t bad = sum_of(ledger__cut(ledger), ledger__missing(ledger));
	const double percent = share_percent(bad, ledger->counted);

	if (!answer->recording->has_ledger || !ledger->counted)
		return WORTH_GOOD;
	if (percent >= 5)
		snprintf(text, size, "%.1f %% of stacks lack callers", percent);
	else
		snprintf(text, size, "%.1f %% of stacks whole",
			 share_percent(ledger->whole, ledger->counted));
	return judge(percent, 5, 30);
}

static enum worth judge_unverified(const struct answer_data *answer, char *text, size_t size)
{
	const struct ledger *ledger = &answer->recording->ledger;
	const double percent = share_percent(ledger->unverified, ledger->counted);

	if (percent >= 5)
		snprintf(text, size, "%.1f %% of stacks may lack callers", percent);
	return judge(percent, 5, 101);
}

static enum worth judge_names(const struct answer_data *answer, char *text, size_t size)
{
	const struct quality *quality = &answer->recording->quality;
	const double percent = share_percent(quality->unresolved, quality->frames);

	if (percent >= 5)
		snprintf(text, size, "%.1f %% of frames without a name", percent);
	return judge(percent, 5, 50);
}

void answer__print_quality(FILE *out, const struct answer_data *answer)
{
	static const char *const words[] = {
		[WORTH_GOOD] = "good", [WORTH_LIMITED] = "limited", [WORTH_POOR] = "poor"};
	static enum worth (*const parts[])(const struct answer_data *answer, char *text,
					   size_t size) = {judge_number,     judge_losses,
							   judge_coverage,   judge_stacks,
							   judge_unverified, judge_names};
	enum worth worst = WORTH_GOOD;
	char text[sizeof(parts) / sizeof(parts[0])][64] = {0};
	const char *before = ": ";

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const enum worth worth = parts[i](answer, text[i], sizeof(text[i]));

		worst = worth > worst ? worth : worst;
	}
	fprintf(out, "### Quality: %s", words[worst]);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!*text[i])
			continue;
		fprintf(out, "%s%s", before, text[i]);
		before = ", ";
	}
	fputc('\n', out);
}

void answer__print_facts(FILE *out, const struct answer_data *answer)
{
	const struct recording *recording = answer->recording;
	const struct metric *shown = metrics__shown(profile__metrics(recording->profile));
	const uint64_t total = profile__shown_total(recording->profile);
	const char *before = "";
	char text[160];

	if (recording->facts[FACT_TARGET])
		markdown__print_words(out, recording->facts[FACT_TARGET]);
	if (recording->duration_ns) {
		text__format_duration(text, sizeof(text), recording->duration_ns);
		fprintf(out, "%s%s", recording->facts[FACT_TARGET] ? ", " : "", text);
	}
	if (recording->facts[FACT_EVENT]) {
		fputs(recording->facts[FACT_TARGET] || recording->duration_ns ? ", " : "", out);
		markdown__print_words(out, recording->facts[FACT_EVENT]);
	}
	if (recording->asked_hz > 0)
		fprintf(out, " at %s", rate__format_asked(text, sizeof(text), recording));
	if (recording->facts[FACT_TARGET] || recording->duration_ns || recording->facts[FACT_EVENT])
		before = ", ";
	/* The metric and the total of the shares, if they are not of samples. */
	if (shown->name && !metric__equal(shown, &metric__samples) && answer->options->whole) {
		metric__format(shown, answer->options->whole, text, sizeof(text));
		fprintf(out, "%sshares of %s ", before, text);
		markdown__print_code(out, shown->name);
		before = ", ";
	}
	if (answer->options->whole != total)
		fprintf(out, "%s%.1f %% of it selected", before,
			share_percent(total, answer->options->whole));
	fputc('\n', out);
}
