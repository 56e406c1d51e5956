// SPDX-License-Identifier: GPL-2.0-only
/*
 *	topstacks  2026-01-31 12:34:56, 5 s of redis-server (pid 4711)
 *	samples    493 at 98.9 Hz on 2 CPUs (asked 99 Hz)
 *	stacks     97.4 % whole, 2.6 % unverified (may lack callers)
 *	coverage   99.8 % of the CPU time the scheduler gave it (4.98 of 4.99 s)
 *	ledger     990 events = 493 counted + 0 idle + 497 filtered + 0 lost
 *	cost       0.31 % of a CPU (15.8 ms), 12.3 MB of memory, 8.24 MB in the kernel
 *	names      98.7 % of frames named; 0.4 % of samples truncated, 0.2 % with a single user
 *frame node: 1.2 % of frames have no name; start node with --perf-basic-prof LOST       12 samples
 *lost, throttled: lower -F
 *
 * One function a line; below them what names and stacks lack, if they do, and one line for each
 *thing that was lost.
 */
#include "views/header.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "base/text.h"

#define LABEL_COLUMNS 11

static void write_label(struct pen *pen, enum style style, const char *label)
{
	pen__text(pen, style, label);
	pen__pad(pen, STYLE_PLAIN, LABEL_COLUMNS);
}

static void write_title(struct pen *pen, const struct interval *interval)
{
	time_t seconds = (time_t)(interval->end_realtime_ns / 1000000000);
	char date[64] = "", duration[32];
	struct tm tm;

	if (seconds && localtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S, ", &tm);
	text__format_duration(duration, sizeof(duration), interval->duration_ns);
	write_label(pen, STYLE_BOLD, "topstacks");
	pen__text(pen, STYLE_BOLD, interval->is_sum ? "whole run, " : "");
	pen__text(pen, STYLE_PLAIN, date);
	if (interval->duration_ns)
		pen__format(pen, STYLE_PLAIN, "%s of ", duration);
	pen__text(pen, STYLE_BOLD, interval->target ? interval->target : "an unknown target");
}

/* "99 Hz", "98.9 Hz", "4,998 Hz" */
static const char *format_rate(char *text, size_t size, double hz)
{
	char number[32];

	if (!(hz >= 0 && hz < 1e15)) {
		snprintf(text, size, "unknown rate");
	} else if (hz < 999.95 && fabs(hz - round(hz)) >= 0.05) {
		snprintf(text, size, "%.1f Hz", hz);
	} else {
		text__format_count(number, sizeof(number), (uint64_t)llround(hz));
		snprintf(text, size, "%s Hz", number);
	}
	return text;
}

static void write_samples(struct pen *pen, const struct interval *interval)
{
	char counted[32], delivered[48], asked[48];

	text__format_count(counted, sizeof(counted), interval->ledger.counted);
	write_label(pen, STYLE_DIM, "samples");
	pen__format(pen, STYLE_PLAIN, "%s at %s on %u CPU%s (asked %s)", counted,
		    format_rate(delivered, sizeof(delivered), interval->delivered_hz),
		    interval->nr_cpus, text__plural(interval->nr_cpus),
		    format_rate(asked, sizeof(asked), interval->asked_hz));
}

static void write_share(struct pen *pen, uint64_t part, uint64_t all, const char *what)
{
	if (!part)
		return;
	pen__format(pen, STYLE_PLAIN, "%s%.1f %% %s", pen->column > LABEL_COLUMNS ? ", " : "",
		    100.0 * (double)part / (double)all, what);
}

static void write_stacks(struct pen *pen, const struct interval *interval)
{
	const struct ledger *ledger = &interval->ledger;

	write_label(pen, STYLE_DIM, "stacks");
	if (!ledger->counted)
		pen__text(pen, STYLE_PLAIN, "none");
	write_share(pen, ledger->whole, ledger->counted, "whole");
	write_share(pen, ledger__cut(ledger), ledger->counted, "cut at the root side");
	write_share(pen, ledger__missing(ledger), ledger->counted, "missing");
	write_share(pen, ledger->unverified, ledger->counted, "unverified (may lack callers)");
	if (ledger->counted && interval->unwinding)
		pen__format(pen, STYLE_PLAIN, "; by %s", interval->unwinding);
}

static void write_coverage(struct pen *pen, const struct interval *interval)
{
	const struct ledger *ledger = &interval->ledger;
	double coverage = ledger__coverage(ledger);
	char sampled[32], ran[32];

	text__format_duration(sampled, sizeof(sampled), ledger->sampled_ns);
	text__format_duration(ran, sizeof(ran), ledger->ran_ns);
	write_label(pen, STYLE_DIM, "coverage");
	if (ledger->ran_unmeasured)
		pen__text(pen, STYLE_PLAIN,
			  "not measured: with -C the scheduler's clock does not tell CPUs apart");
	else if (coverage >= 0)
		pen__format(pen, STYLE_PLAIN,
			    "%.1f %% of the CPU time the scheduler gave it (%s of %s)", coverage,
			    sampled, ran);
	else if (ledger->sampled_ns)
		pen__text(pen, STYLE_PLAIN, "unknown, the scheduler's clock has not moved yet");
	else
		pen__text(pen, STYLE_PLAIN, "nothing to cover, the scheduler gave it no CPU time");
}

static void write_ledger(struct pen *pen, const struct interval *interval)
{
	const struct ledger *ledger = &interval->ledger;
	bool good = ledger__balances(ledger) && !ledger__lost(ledger);
	char text[512];

	ledger__line(ledger, text, sizeof(text));
	write_label(pen, STYLE_DIM, "ledger");
	pen__text(pen, good ? STYLE_PLAIN : STYLE_ALARM, text);
}

static void write_cost(struct pen *pen, const struct interval *interval)
{
	const struct cost *cost = &interval->cost;
	uint64_t used_ns = cost->user_ns + cost->system_ns;
	char used[32], resident[32], kernel[32];
	double share =
		interval->duration_ns ? 100.0 * (double)used_ns / (double)interval->duration_ns : 0;

	text__format_duration(used, sizeof(used), used_ns);
	text__format_bytes(resident, sizeof(resident), cost->resident_bytes);
	text__format_bytes(kernel, sizeof(kernel), cost->kernel_bytes);
	write_label(pen, STYLE_DIM, "cost");
	pen__format(pen, STYLE_PLAIN, "%.2f %% of a CPU (%s), %s of memory, %s in the kernel",
		    share, used, resident, kernel);
}

/* "drain 4.1 ms, symbols 38 ms, display 0.8 ms; a run 1.3 us, a flip 24 us, grace 11 us a CPU" */
static void write_cost_parts(struct pen *pen, const struct interval *interval)
{
	const struct cost *cost = &interval->cost;
	const struct ledger *ledger = &interval->ledger;
	uint64_t drains = ledger->drains ? ledger->drains : 1;
	uint64_t reads = drains * (interval->nr_cpus ? interval->nr_cpus : 1);
	char drain[32], symbols[32], display[32], run[32], flip[32], grace[32];

	text__format_duration(drain, sizeof(drain), cost->drain_ns);
	text__format_duration(symbols, sizeof(symbols), cost->symbols_ns);
	text__format_duration(display, sizeof(display), cost->display_ns);
	text__format_duration(run, sizeof(run), cost->program_ns / cost->program_runs);
	text__format_duration(flip, sizeof(flip), ledger->flip_ns / drains);
	text__format_duration(grace, sizeof(grace), ledger->grace_ns / reads);
	write_label(pen, STYLE_DIM, "");
	pen__format(pen, STYLE_PLAIN,
		    "drain %s, symbols %s, display %s; a run %s, a flip %s, grace %s a CPU", drain,
		    symbols, display, run, flip, grace);
}

static bool was_timed(const struct interval *interval)
{
	return interval->cost.program_runs != 0;
}

/* Below this the scheduler's clock says that samples are missing. */
#define LOW_COVERAGE 97.0

/* No sample at all is explained in place of the rows. */
static bool is_low(const struct interval *interval)
{
	double coverage = ledger__coverage(&interval->ledger);

	return coverage >= 0 && coverage < LOW_COVERAGE && interval->ledger.counted;
}

/* One in a thousand is every machine's: timers are late when interrupts were off. */
static bool is_late(const struct interval *interval)
{
	return interval->ledger.late > interval->ledger.due / 1000;
}

/* Twice the deviation of as many samples as fell due: 1 of 40 is further off by chance. */
static double chance_percent(const struct interval *interval)
{
	double nr_expected = interval->asked_hz * (double)interval->ledger.ran_ns / 1e9;

	return fmin(100, nr_expected > 0 ? 200 / sqrt(nr_expected) : 0);
}

/*
 * What can be told of samples that never reached the program. While a process makes a bpf() call on
 * a map, the kernel runs no program of a perf event on its CPU.
 */
static void explain_coverage(struct pen *pen, const struct interval *interval)
{
	const struct ledger *ledger = &interval->ledger;
	uint64_t throttled = ledger->lost[LOSS_THROTTLED];
	double chance = chance_percent(interval);

	write_label(pen, STYLE_ALARM, "");
	if (throttled)
		pen__format(pen, STYLE_ALARM, "low: the kernel throttled %" PRIu64 " sample%s",
			    throttled, text__plural(throttled));
	else if (is_late(interval))
		pen__format(pen, STYLE_ALARM,
			    "low: %" PRIu64 " period%s passed without an event of %s own",
			    ledger->late, text__plural(ledger->late),
			    ledger->late == 1 ? "its" : "their");
	else if (100 - ledger__coverage(ledger) <= chance)
		pen__format(pen, STYLE_PLAIN, "low by chance? so few samples may be %.0f %% off",
			    chance);
	else
		pen__text(pen, STYLE_ALARM,
			  "low: timers late, interrupts off (busy host?), or bpf() calls on maps");
}

static void write_late(struct pen *pen, const struct interval *interval)
{
	char late[32], due[32];

	text__format_count(late, sizeof(late), interval->ledger.late);
	text__format_count(due, sizeof(due), interval->ledger.due);
	write_label(pen, STYLE_DIM, "late");
	pen__format(pen, STYLE_PLAIN, "%s of %s timers came late, or were skipped", late, due);
}

static bool hides_idle_interrupts(const struct interval *interval)
{
	return interval->ledger.idle_excluded && interval->whole_system;
}

static void explain_idle(struct pen *pen, const struct interval *interval)
{
	(void)interval;
	write_label(pen, STYLE_DIM, "");
	pen__text(pen, STYLE_PLAIN, "at this rate interrupts on idle CPUs are not seen");
}

static void write_values(struct pen *pen, const struct interval *interval)
{
	write_label(pen, STYLE_DIM, "values");
	pen__text(pen, STYLE_PLAIN, interval->values);
}

static bool has_values(const struct interval *interval)
{
	return interval->values;
}

static bool is_ours(const struct interval *interval)
{
	return !interval->is_foreign;
}

/* What a file holds was paid for long ago. */
static bool has_cost(const struct interval *interval)
{
	return interval->cost.resident_bytes > 0;
}

/* The lines of the header; applies: NULL for those that are always there. */
static const struct part {
	void (*write)(struct pen *pen, const struct interval *interval);
	bool (*applies)(const struct interval *interval);
} parts[] = {
	{write_title, NULL},	       {write_values, has_values},
	{write_samples, is_ours},      {explain_idle, hides_idle_interrupts},
	{write_stacks, is_ours},       {write_coverage, is_ours},
	{explain_coverage, is_low},    {write_ledger, is_ours},
	{write_late, is_late},	       {write_cost, has_cost},
	{write_cost_parts, was_timed},
};

#define PARTS (sizeof(parts) / sizeof(parts[0]))

static bool is_there(const struct part *part, const struct interval *interval)
{
	return !part->applies || part->applies(interval);
}

static size_t count_parts(const struct interval *interval)
{
	size_t nr = 0;

	for (size_t i = 0; i < PARTS; i++)
		nr += is_there(&parts[i], interval);
	return nr;
}

/* A line on names and stacks, and one for each cause, unless all is well. */
static size_t count_quality(const struct interval *interval)
{
	return !quality__line(&interval->quality, NULL, 0) ? 0 : 1 + interval->quality.nr_causes;
}

static void write_quality(struct pen *pen, const struct interval *interval, size_t index)
{
	char text[512];

	write_label(pen, STYLE_DIM, index ? "" : "names");
	if (index)
		quality__advice(&interval->quality, index - 1, text, sizeof(text));
	else
		quality__line(&interval->quality, text, sizeof(text));
	pen__text(pen, STYLE_PLAIN, text);
}

static void write_notice(struct pen *pen, const struct interval *interval, size_t index)
{
	char text[256];

	ledger__notice(&interval->ledger, index, text, sizeof(text));
	write_label(pen, STYLE_ALARM, "LOST");
	pen__text(pen, STYLE_ALARM, text);
}

size_t header__nr_lines(const struct interval *interval)
{
	size_t nr_notices = 0;
	char text[1];

	while (ledger__notice(&interval->ledger, nr_notices, text, sizeof(text)))
		nr_notices++;
	return count_parts(interval) + count_quality(interval) + nr_notices;
}

void header__write(struct pen *pen, const struct interval *interval, size_t index)
{
	const size_t nr_parts = count_parts(interval);
	const size_t nr_quality = count_quality(interval);

	if (index >= nr_parts + nr_quality) {
		write_notice(pen, interval, index - nr_parts - nr_quality);
		return;
	}
	if (index >= nr_parts) {
		write_quality(pen, interval, index - nr_parts);
		return;
	}
	for (size_t i = 0; i < PARTS; i++) {
		if (is_there(&parts[i], interval) && !index--) {
			parts[i].write(pen, interval);
			return;
		}
	}
}

void header__explain_silence(struct pen *pen, const struct interval *interval)
{
	const struct ledger *ledger = &interval->ledger;
	char ran[32], period[32];

	text__format_duration(ran, sizeof(ran), ledger->ran_ns);
	if (ledger->ran_unmeasured) {
		pen__text(pen, STYLE_PLAIN,
			  ledger__lost(ledger) ? "no samples: all were lost"
					       : "no samples: the target did not run on the CPUs "
						 "of -C, or too briefly");
		return;
	}
	if (!ledger->ran_ns) {
		pen__text(pen, STYLE_PLAIN, "no samples: the target did not run");
		return;
	}
	if (ledger__lost(ledger) || interval->asked_hz < 0.001) {
		pen__format(pen, STYLE_PLAIN, "no samples, although the target ran for %s", ran);
		return;
	}
	text__format_duration(period, sizeof(period), (uint64_t)(1e9 / interval->asked_hz));
	pen__format(pen, STYLE_PLAIN,
		    "no samples: the target ran for %s (one is due every %s; raise -F or -i)", ran,
		    period);
}
