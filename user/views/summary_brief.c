// SPDX-License-Identifier: GPL-2.0-only
/* A summary in a few words: the lines at the top of the live view. */
#include "views/events.h"
#include "views/rate.h"
#include "views/summary.h"

double summary__cpu_percent(const struct recording *interval)
{
	const struct cost *cost = &interval->cost;

	return share_percent(cost->user_ns + cost->system_ns,
			     cost->elapsed_ns ? cost->elapsed_ns : interval->duration_ns);
}

void summary__brief_rate(struct phrases *phrases, const struct recording *interval)
{
	const bool is_lowered = interval->lowered_hz > 0;
	char delivered[32], asked[64], lowered[32];

	if (interval->facts[FACT_EVENT])
		phrases__add(phrases, "", STYLE_DIM, IMPORTANCE_NEEDED, "%s",
			     interval->facts[FACT_EVENT]);
	if (interval->asked_hz > 0)
		phrases__add(
			phrases, "  ", STYLE_PLAIN, IMPORTANCE_NEEDED, "%s Hz (asked %s%s%s)",
			rate__format_brief(delivered, sizeof(delivered), interval->delivered_hz),
			asked_rates__format(&interval->asked_rates, asked, sizeof(asked))
				? asked
				: rate__format_brief(asked, sizeof(asked), interval->asked_hz),
			is_lowered ? ", lowered to " : "",
			is_lowered
				? rate__format_brief(lowered, sizeof(lowered), interval->lowered_hz)
				: "");
	phrases__add(phrases, " ", STYLE_PLAIN, IMPORTANCE_DETAIL, "on %u CPU%s", interval->nr_cpus,
		     text__plural(interval->nr_cpus));
}

static void add_share(struct phrases *phrases, enum importance importance, uint64_t part,
		      const struct ledger *ledger, const char *what)
{
	if (part)
		phrases__add(phrases, ", ", STYLE_PLAIN, importance, "%.1f %% %s",
			     share_percent(part, ledger->counted), what);
}

static void add_brief_counts(struct phrases *phrases, const struct recording *interval, double unit)
{
	const struct ledger *ledger = &interval->ledger;
	uint64_t lost = ledger__lost(ledger), value;
	const struct metric *metric = event__told_metric(interval, &value);
	char text[96];
	size_t digits;

	metric__describe(metric, value, text, sizeof(text));
	digits = strcspn(text, " ");
	phrases__add(phrases, "", STYLE_BOLD, IMPORTANCE_ALARM, "%.*s", (int)digits, text);
	phrases__add(phrases, "", STYLE_PLAIN, IMPORTANCE_ALARM, "%s", text + digits);
	if (event__is_counted(interval) &&
	    event__describe_weight(interval, unit, text, sizeof(text)) > 0)
		phrases__add(phrases, "", STYLE_PLAIN, IMPORTANCE_USUAL, "%s", text);
	text__format_count(text, sizeof(text), lost);
	phrases__add(phrases, ", ",
		     lost && !event__lost_little(interval) ? STYLE_ALARM : STYLE_PLAIN,
		     IMPORTANCE_ALARM, "%s lost%s", text,
		     event__lost_of_others(interval) ? ", perhaps of others" : "");
	if (!ledger__balances(ledger))
		phrases__add(phrases, ", ", STYLE_ALARM, IMPORTANCE_ALARM, "NOT BALANCED");
}

void summary__brief_samples(struct phrases *phrases, const struct recording *interval, double unit)
{
	const struct ledger *ledger = &interval->ledger;
	const struct cost *cost = &interval->cost;
	double coverage = event__coverage(interval);
	char memory[32];

	add_brief_counts(phrases, interval, unit);
	add_share(phrases, IMPORTANCE_USUAL, ledger->whole, ledger, "whole");
	add_share(phrases, IMPORTANCE_DETAIL, ledger__cut(ledger), ledger, "truncated");
	add_share(phrases, IMPORTANCE_DETAIL, ledger__missing(ledger), ledger, "missing");
	add_share(phrases, IMPORTANCE_DETAIL, ledger->unverified, ledger, "unverified");
	if (ledger->counted && interval->facts[FACT_UNWINDING])
		phrases__add(phrases, "; ", STYLE_PLAIN, IMPORTANCE_DETAIL, "by %s",
			     interval->facts[FACT_UNWINDING]);
	if (event__is_counted(interval)) {
		if (ledger->events) /* else there is no share to tell */
			phrases__add(phrases, ", ", STYLE_PLAIN, IMPORTANCE_DETAIL,
				     "%.1f %% accounted for",
				     share_percent(ledger->events - ledger__lost(ledger),
						   ledger->events));
	} else if (ledger->ran_unmeasured && event__covers_time(interval)) {
		phrases__add(phrases, ", ", STYLE_PLAIN, IMPORTANCE_DETAIL,
			     "coverage not measured");
	} else if (coverage >= 0) {
		phrases__add(phrases, ", ", STYLE_PLAIN, IMPORTANCE_NEEDED, "%.1f %% covered",
			     coverage);
	}
	phrases__add(phrases, "; ", STYLE_PLAIN, IMPORTANCE_NEEDED, "cost %.2f %% CPU",
		     summary__cpu_percent(interval));
	text__format_bytes(memory, sizeof(memory), cost->resident_bytes);
	phrases__add(phrases, ", ", STYLE_PLAIN, IMPORTANCE_USUAL, "%s", memory);
	text__format_bytes(memory, sizeof(memory), cost->kernel_bytes);
	if (cost->kernel_bytes)
		phrases__add(phrases, ", ", STYLE_PLAIN, IMPORTANCE_DETAIL, "%s in the kernel",
			     memory);
}
