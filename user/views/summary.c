// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rows of a summary:
 *
 *	samples    493 at 98.9 Hz on 2 CPUs (asked 99 Hz)
 *	stacks     97.4 % whole, 2.6 % unverified (may lack callers)
 *	coverage   99.8 % of the CPU time the scheduler gave it (4.98 of 4.99 s)
 *	ledger     990 events = 493 counted + 0 idle + 497 filtered + 0 lost
 *	wall       27.04 s of threads = 0.26 s running + 0.36 s runnable + 26.42 s blocked + ...
 *	scheduler  0.26 s ran + 9 ms uncredited - 8 ms of others, 0.36 s waited to run; agrees
 *		   within 0.5 % and 10 us a switch (3,471)
 *	asleep     4 threads before sampling began, 4 of them with their stacks
 *	cost       0.31 % of a CPU (15.8 ms), 12.3 MB of memory, 8.24 MB in the kernel
 *	names      98.7 % of frames named, 99.9 % of leaf functions identified, 0.4 % of ...
 *	           node: 1.2 % of frames have no name; start node with --perf-basic-prof
 *	LOST       12 samples lost, throttled: lower -F
 *
 * One function writes each fact, or nothing if there is nothing to say.
 */
#include "views/summary.h"

#include <math.h>
#include <stdarg.h>

#include "profile/recording.h"
#include "views/events.h"
#include "views/rate.h"

/* ---- rows ---- */

/* Appends to the text of the row. */
static void say(struct summary_row *row, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct summary_row *row, const char *format, ...)
{
	size_t used = strlen(row->text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(row->text + used, sizeof(row->text) - used, format, arguments);
	va_end(arguments);
}

/* Writes the count; its label is the name of what is counted. */
static void tell_samples(struct summary_row *row, const struct recording *interval)
{
	uint64_t value;
	const struct metric *metric = event__told_metric(interval, &value);
	char text[128], asked[160];

	if (!interval->has_ledger)
		return;
	row->label = metric->noun ? "blocks" : metric->name;
	if (metric->is_events || metric->noun) /* the label says the noun already */
		metric__format(metric, value, text, sizeof(text));
	else
		metric__describe(metric, value, text, sizeof(text));
	say(row, "%s", text);
	if (event__is_counted(interval)) {
		event__describe_weight(interval, 1, text, sizeof(text));
		say(row, "%s", text);
	}
	if (interval->asked_hz > 0)
		say(row, " at %s", rate__format(text, sizeof(text), interval->delivered_hz));
	if (ledger__has_wall(&interval->ledger) && !(interval->asked_hz > 0))
		say(row, " of threads"); /* waits: a waiting thread has no CPU */
	else if (!heap__has_blocks(interval))
		say(row, " on %u CPU%s", interval->nr_cpus, text__plural(interval->nr_cpus));
	if (interval->asked_hz > 0)
		say(row, " (asked %s)", rate__format_asked(asked, sizeof(asked), interval));
	if (interval->more && interval->facts[FACT_EVENT] &&
	    strcmp(interval->facts[FACT_EVENT], metric->name) != 0)
		say(row, ", of %.60s", interval->facts[FACT_EVENT]);
}

static void tell_thinned(struct summary_row *row, const struct recording *interval)
{
	event__describe_thinned(interval, row->text, sizeof(row->text));
}

static void tell_idle(struct summary_row *row, const struct recording *interval)
{
	if (interval->ledger.idle_excluded && interval->whole_system)
		say(row, "at this rate interrupts on idle CPUs are not seen");
}

static void say_share(struct summary_row *row, uint64_t part, uint64_t all, const char *what)
{
	if (part)
		say(row, "%s%.1f %% %s", *row->text ? ", " : "", share_percent(part, all), what);
}

static void tell_stacks(struct summary_row *row, const struct recording *interval)
{
	const struct ledger *ledger = &interval->ledger;

	if (!interval->has_ledger)
		return;
	if (!ledger->counted)
		say(row, "none");
	say_share(row, ledger->whole, ledger->counted, "whole");
	say_share(row, ledger__cut(ledger), ledger->counted, "truncated");
	say_share(row, ledger__missing(ledger), ledger->counted, "missing");
	say_share(row, ledger->unverified, ledger->counted, "unverified (may lack callers)");
	if (ledger->counted && interval->facts[FACT_UNWINDING])
		say(row, "; by %s", interval->facts[FACT_UNWINDING]);
}

static void tell_lost_abilities(struct summary_row *row, const struct recording *interval)
{
	const struct lost_ability *lost = interval->lost_abilities;

	for (size_t i = 0; i < MOST_LOST_ABILITIES && lost[i].name; i++)
		say(row, "%s%.60s are not used: %.300s", i ? "; " : "", lost[i].name,
		    lost[i].why ? lost[i].why : "the kernel refused them");
}

static void tell_coverage(struct summary_row *row, const struct recording *interval)
{
	const struct ledger *ledger = &interval->ledger;
	double coverage = event__coverage(interval);
	char sampled[32], ran[32];

	if (ledger__has_wall(ledger))
		return; /* the row "wall" is a better account */
	if (event__is_counted(interval)) {
		row->label = "events";
		event__describe_account(interval, row->text, sizeof(row->text));
		return;
	}
	text__format_duration(sampled, sizeof(sampled), ledger->sampled_ns);
	text__format_duration(ran, sizeof(ran), ledger->ran_ns);
	if (!interval->has_ledger || (ledger->ran_unmeasured && !event__covers_time(interval)))
		return;
	if (ledger->ran_unmeasured)
		say(row, "not measured: with -C the scheduler's clock does not tell CPUs apart");
	else if (coverage >= 0)
		say(row, "%.1f %% of the CPU time the scheduler gave it (%s of %s)", coverage,
		    sampled, ran);
	else if (ledger->ran_ns)
		say(row, "not judged: %s of CPU time are too little to compare with samples", ran);
	else if (ledger->sampled_ns)
		say(row, "unknown, the scheduler's clock has not moved yet");
	else
		say(row, "nothing to cover, the scheduler gave it no CPU time");
}

/* True if more periods were late than on any machine: timers are late while interrupts are off. */
static bool is_late(const struct ledger *ledger)
{
	return ledger->late > ledger->due / 1000;
}

/*
 * Two standard deviations of the number of due samples, in percent: 1 of 40 intervals is further
 * off by chance.
 */
static double chance_percent(const struct recording *interval)
{
	double nr_expected = interval->asked_hz * (double)interval->ledger.ran_ns / 1e9;

	return fmin(100, nr_expected > 0 ? 200 / sqrt(nr_expected) : 0);
}

/* True if at least half of the missing time was lost in programs of other events. */
static bool is_kept_out(const struct recording *interval)
{
	const struct ledger *ledger = &interval->ledger;
	const double missing_ns = (double)ledger->ran_ns - (double)ledger->sampled_ns;
	const double busy = (double)ledger->lost[LOSS_PROGRAM_BUSY];

	return busy > 0 && interval->asked_hz > 0 &&
	       busy * 1e9 / interval->asked_hz >= missing_ns / 2;
}

/*
 * Coverage below the first means that samples are missing, above the second that there are too
 * many.
 */
#define LOW_COVERAGE  97.0
#define HIGH_COVERAGE 103.0

/*
 * Explains missing samples, as far as possible. While a process makes a bpf() call on a map, the
 * kernel runs no program of a perf event on its CPU. If there is no sample at all, another text
 * takes the place of the rows.
 */
static void tell_why_low(struct summary_row *row, const struct recording *interval)
{
	const struct ledger *ledger = &interval->ledger;
	const uint64_t throttled = ledger->lost[LOSS_THROTTLED];
	const uint64_t busy = ledger->lost[LOSS_PROGRAM_BUSY];
	double chance = chance_percent(interval), coverage = event__coverage(interval);

	if (coverage < 0 || coverage >= LOW_COVERAGE || !ledger->counted ||
	    event__is_counted(interval))
		return;
	row->style = STYLE_ALARM;
	if (is_kept_out(interval)) {
		say(row, "low: %" PRIu64 " sample%s fell into the programs of other events", busy,
		    text__plural(busy));
	} else if (throttled) {
		say(row, "low: the kernel throttled %" PRIu64 " sample%s", throttled,
		    text__plural(throttled));
	} else if (is_late(ledger)) {
		say(row, "low: the kernel's timer did not fire in time in %" PRIu64 " period%s",
		    ledger->late, text__plural(ledger->late));
	} else if (100 - coverage <= chance) {
		row->style = STYLE_PLAIN;
		row->importance = IMPORTANCE_DETAIL; /* it varies from interval to interval */
		say(row, "low by chance? so few samples may be %.0f %% off", chance);
	} else {
		say(row, "low: timers late, interrupts off (busy host?), %sbpf() calls on maps%s%s",
		    interval->whole_system ? "or " : "",
		    interval->whole_system ? "" : ", or credited with what its wakers ran",
		    interval->has_cycles ? "; -e cycles sees code with interrupts off" : "");
	}
}

/*
 * Explains a coverage above 103 %. When a thread is woken and takes the CPU, the scheduler reads
 * its clock, and does not read it again before that thread runs (rq_clock_skip_update): the time
 * that the waker still runs counts for the woken thread. Timers hit the thread that runs. The sum
 * over both threads agrees. /proc/stat does not count switches.
 */
static void tell_why_high(struct summary_row *row, const struct recording *interval)
{
	const double chance = chance_percent(interval), coverage = event__coverage(interval);

	if (coverage <= HIGH_COVERAGE || event__is_counted(interval) || interval->whole_system)
		return;
	row->style = STYLE_PLAIN;
	row->importance = coverage - 100 <= chance ? IMPORTANCE_DETAIL : IMPORTANCE_USUAL;
	if (coverage - 100 <= chance)
		say(row, "high by chance? so few samples may be %.0f %% off", chance);
	else
		say(row, "high: its time after it wakes a thread that takes its CPU is credited to "
			 "that thread; -e wall tells how much");
}

static void tell_ledger(struct summary_row *row, const struct recording *interval)
{
	const struct ledger *ledger = &interval->ledger;

	if (!interval->has_ledger)
		return;
	ledger__line(ledger, row->text, sizeof(row->text));
	if (!ledger__balances(ledger) || ledger__lost(ledger) || ledger->kept_out)
		row->style = STYLE_ALARM;
}

/*
 * Tells late periods. If the CPU time is covered nevertheless, they were idle time: kernels skip
 * timers then.
 */
static void tell_late(struct summary_row *row, const struct recording *interval)
{
	const bool is_covered = event__coverage(interval) >= LOW_COVERAGE;
	char late[32], due[32];

	if (!is_late(&interval->ledger))
		return;
	text__format_count(late, sizeof(late), interval->ledger.late);
	text__format_count(due, sizeof(due), interval->ledger.due);
	say(row, "in %s of %s periods the kernel's timer did not fire in time%s", late, due,
	    is_covered ? ", on idle CPUs: the CPU time is covered" : "");
}

/* Tells the part of the requested time that is missing, as it was no longer kept. */
static void tell_gap(struct summary_row *row, const struct recording *interval)
{
	char missing[32];

	if (!interval->gap_ns)
		return;
	text__format_duration(missing, sizeof(missing), interval->gap_ns);
	say(row, "%s before it are missing: they were not kept any more", missing);
	row->style = STYLE_ALARM;
}

/* Tells the cost of a live interval; files do not have it. */
static void tell_cost(struct summary_row *row, const struct recording *interval)
{
	const struct cost *cost = &interval->cost;
	char used[32], resident[32], kernel[32];

	if (!cost->resident_bytes)
		return;
	text__format_duration(used, sizeof(used), cost->user_ns + cost->system_ns);
	text__format_bytes(resident, sizeof(resident), cost->resident_bytes);
	text__format_bytes(kernel, sizeof(kernel), cost->kernel_bytes);
	say(row, "%.2f %% of a CPU (%s), %s of memory, %s in the kernel",
	    summary__cpu_percent(interval), used, resident, kernel);
}

/* Tells how much sampling slows other programs: that is not in topstacks' own time. */
static void tell_slowdown(struct summary_row *row, const struct recording *interval)
{
	const double hz = recording__left_hz(interval);

	if (interval->cost.resident_bytes)
		rate__describe_slowdown(hz, interval->nr_cpus, row->text, sizeof(row->text));
}

/* Only with --stats, or while another program has the kernel measure the time of BPF programs. */
static void tell_cost_parts(struct summary_row *row, const struct recording *interval)
{
	const struct cost *cost = &interval->cost;
	const struct ledger *ledger = &interval->ledger;
	uint64_t drains = ledger->drains ? ledger->drains : 1;
	uint64_t reads = drains * (interval->nr_cpus ? interval->nr_cpus : 1);
	char drain[32], symbols[32], display[32], run[32], flip[32], grace[32];

	if (!cost->program_runs)
		return;
	text__format_duration(drain, sizeof(drain), cost->drain_ns);
	text__format_duration(symbols, sizeof(symbols), cost->symbols_ns);
	text__format_duration(display, sizeof(display), cost->display_ns);
	text__format_duration(run, sizeof(run), cost->program_ns / cost->program_runs);
	text__format_duration(flip, sizeof(flip), ledger->flip_ns / drains);
	text__format_duration(grace, sizeof(grace), ledger->grace_ns / reads);
	say(row, "drain %s, symbols %s, display %s; a run %s, a flip %s, grace %s a CPU", drain,
	    symbols, display, run, flip, grace);
}

/* ---- waits: any event of the run may have the account ---- */

static const struct recording *find_wall(const struct recording *event)
{
	while (event && !ledger__has_wall(&event->ledger))
		event = event->more;
	return event;
}

static void alarm_if(struct summary_row *row, bool is_wrong)
{
	if (!is_wrong)
		return;
	row->style = STYLE_ALARM;
	row->importance = IMPORTANCE_ALARM;
}

static void tell_wall(struct summary_row *row, const struct recording *interval)
{
	const struct recording *event = find_wall(interval);

	if (!event)
		return;
	ledger__wall_line(&event->ledger, row->text, sizeof(row->text));
	alarm_if(row, ledger__wall_error_ns(&event->ledger) != 0);
}

static void tell_scheduler(struct summary_row *row, const struct recording *interval)
{
	const struct recording *event = find_wall(interval);

	if (!event)
		return;
	ledger__scheduler_line(&event->ledger, row->text, sizeof(row->text));
	alarm_if(row, !ledger__scheduler_agrees(&event->ledger));
}

static void tell_asleep(struct summary_row *row, const struct recording *interval)
{
	const struct recording *event = find_wall(interval);
	char asleep[32], walked[32];

	if (!event || !event->ledger.asleep)
		return;
	text__format_count(asleep, sizeof(asleep), event->ledger.asleep);
	text__format_count(walked, sizeof(walked), event->ledger.asleep_walked);
	say(row, "%s thread%s before sampling began, %s of them with %s", asleep,
	    text__plural(event->ledger.asleep), walked,
	    event->ledger.asleep_walked == 1 ? "its stack" : "their stacks");
}

/* Tells the part of wait times that is of no known kind. */
static void tell_other_waits(struct summary_row *row, const struct recording *interval)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(interval->profile, &nr_samples);
	uint64_t other = 0, all = 0;

	if (!profile__has_waits(interval->profile))
		return;
	for (size_t i = 0; i < nr_samples; i++) {
		const enum wait_kind kind = wait__kind(samples[i].wait);
		const uint64_t weight = samples[i].values[VALUE_WEIGHT];

		all = sum_of(all, kind ? weight : 0);
		other = sum_of(other, kind == WAIT_FOR_OTHER ? weight : 0);
	}
	if (other)
		say(row, "%.1f %% of the time is of waits of no known kind",
		    share_percent(other, all));
}

static const struct fact_row {
	const char *label, *about;
	enum importance importance;
	bool is_brief;
	void (*tell)(struct summary_row *row, const struct recording *interval);
} facts[] = {
	{"", "", IMPORTANCE_NEEDED, true, tell_samples}, /* its label depends on the metric */
	{"", "", IMPORTANCE_NEEDED, false, tell_thinned},
	{"", "", IMPORTANCE_USUAL, false, tell_idle},
	{"stacks", "", IMPORTANCE_NEEDED, true, tell_stacks},
	{"", "", IMPORTANCE_USUAL, false, tell_lost_abilities},
	{"coverage", "", IMPORTANCE_NEEDED, true, tell_coverage},
	{"", "coverage ", IMPORTANCE_ALARM, false, tell_why_low},
	{"", "coverage ", IMPORTANCE_USUAL, false, tell_why_high},
	{"ledger", "", IMPORTANCE_NEEDED, true, tell_ledger},
	{"wall", "wall ", IMPORTANCE_NEEDED, false, tell_wall},
	{"scheduler", "scheduler ", IMPORTANCE_USUAL, false, tell_scheduler},
	{"asleep", "asleep ", IMPORTANCE_USUAL, false, tell_asleep},
	{"kinds", "", IMPORTANCE_USUAL, false, tell_other_waits},
	{"late", "", IMPORTANCE_USUAL, false, tell_late},
	{"gap", "", IMPORTANCE_USUAL, false, tell_gap},
	{"cost", "", IMPORTANCE_NEEDED, true, tell_cost},
	{"", "", IMPORTANCE_NEEDED, false, tell_slowdown},
	{"", "", IMPORTANCE_NEEDED, false, tell_cost_parts},
};

/* The next row, which is added by counting nr_rows up; NULL: no room. */
static struct summary_row *next_row(struct summary *summary, const char *label,
				    enum importance importance)
{
	struct summary_row *row = &summary->rows[summary->nr_rows];

	if (summary->nr_rows == MOST_SUMMARY_ROWS)
		return NULL;
	*row = (struct summary_row){.label = label,
				    .about = "",
				    .label_style = STYLE_DIM,
				    .style = STYLE_PLAIN,
				    .importance = importance};
	return row;
}

/* Adds a row for each other event of the run. */
static void add_events(struct summary *summary, const struct recording *interval)
{
	const struct recording *event = interval->more;
	struct summary_row *row;

	for (; event && (row = next_row(summary, "also", IMPORTANCE_USUAL)); event = event->more) {
		event__describe(event, row->text, sizeof(row->text));
		row->about = "also ";
		if (!ledger__balances(&event->ledger) || ledger__lost(&event->ledger) ||
		    event->ledger.kept_out) {
			row->style = STYLE_ALARM;
			row->importance = IMPORTANCE_ALARM;
		}
		summary->nr_rows++;
	}
}

/* Adds a row on names and stacks, and one for each cause, if there is anything to improve. */
static void add_quality(struct summary *summary, const struct quality *quality)
{
	struct summary_row *row = next_row(summary, "names", IMPORTANCE_USUAL);

	if (!row || !quality__line(quality, row->text, sizeof(row->text)))
		return;
	summary->nr_rows++;
	for (size_t i = 0; i < quality->nr_causes; i++) {
		row = next_row(summary, "", IMPORTANCE_USUAL);
		if (!row)
			return;
		quality__advice(quality, i, row->text, sizeof(row->text));
		summary->nr_rows++;
	}
}

typedef int (*tell_loss)(const struct ledger *ledger, const struct ledger_subject *subject,
			 size_t nth, char *text, size_t size);

/* Adds the losses of one kind. name: the event's; "" if it is the only one. */
static void add_losses(struct summary *summary, const struct recording *event,
		       const struct ledger_subject *subject, const char *name, tell_loss tell)
{
	struct summary_row *row;
	size_t i, used;

	for (i = 0; (row = next_row(summary, "LOST", IMPORTANCE_ALARM)); i++) {
		if (*name)
			say(row, "%.100s: ", name);
		used = strlen(row->text);
		if (!tell(&event->ledger, subject, i, row->text + used, sizeof(row->text) - used))
			return;
		if (tell != ledger__notice || !event__lost_little(event))
			row->label_style = row->style = STYLE_ALARM;
		summary->nr_rows++;
	}
}

/*
 * Adds the losses of each event, and once those that all have in common, which each ledger
 * contains.
 */
static void add_all_losses(struct summary *summary, const struct recording *interval)
{
	const bool has_others = interval->more;
	const struct ledger_subject shown = event__subject(interval, has_others);
	const struct recording *event, *common = interval;

	for (event = interval; event; event = event->more) {
		const struct ledger_subject subject = event__subject(event, has_others);
		const char *name = event->facts[FACT_EVENT];

		add_losses(summary, event, &subject, has_others && name ? name : "",
			   ledger__notice);
		add_losses(summary, event, &subject, has_others && name ? name : "",
			   ledger__notice_wall);
		if (!common->ledger.kept_out && event->ledger.kept_out)
			common = event;
	}
	add_losses(summary, common, &shown, "", ledger__notice_common);
}

void summary__init(struct summary *summary, const struct recording *interval, const char *values)
{
	struct summary_row *row;

	summary->nr_rows = 0;
	row = next_row(summary, "values", IMPORTANCE_USUAL);
	if (values) {
		say(row, "%s", values);
		summary->nr_rows++;
	}
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		row = next_row(summary, facts[i].label, facts[i].importance);
		if (!row)
			break;
		row->about = facts[i].about;
		row->is_brief = facts[i].is_brief;
		facts[i].tell(row, interval);
		summary->nr_rows += *row->text != '\0';
	}
	add_events(summary, interval);
	add_quality(summary, &interval->quality);
	add_all_losses(summary, interval);
}

static void drop(struct summary *summary, size_t index)
{
	summary->nr_rows--;
	memmove(&summary->rows[index], &summary->rows[index + 1],
		(summary->nr_rows - index) * sizeof(summary->rows[0]));
}

void summary__cut(struct summary *summary, enum importance least, size_t most)
{
	const struct summary_row *rows = summary->rows;

	for (size_t i = summary->nr_rows; i--;)
		if (rows[i].is_brief || rows[i].importance < least)
			drop(summary, i);
	while (summary->nr_rows > most) {
		size_t last = 0;

		for (size_t i = 1; i < summary->nr_rows; i++)
			if (rows[i].importance <= rows[last].importance)
				last = i;
		drop(summary, last);
	}
}
