// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text format of Prometheus, https://prometheus.io/docs/instrumenting/exposition_formats:
 * counters end in _total, units are base units, and each family has a HELP and a TYPE.
 */
#include "serve/counters.h"

void counters__init(struct counters *counters)
{
	*counters = (struct counters){0};
	pthread_mutex_init(&counters->lock, NULL);
}

void counters__fini(struct counters *counters)
{
	pthread_mutex_destroy(&counters->lock);
}

/* ---- adding up ---- */

/* Finds or adds an event. NULL: there are too many. */
static struct event_counters *find_event(struct counters *counters, const char *event)
{
	for (size_t i = 0; i < counters->nr_events; i++)
		if (!strcmp(counters->events[i].event, event))
			return &counters->events[i];
	if (counters->nr_events == COUNTERS_MOST_EVENTS)
		return NULL;
	snprintf(counters->events[counters->nr_events].event, sizeof(counters->events[0].event),
		 "%s", event);
	return &counters->events[counters->nr_events++];
}

void counters__add(struct counters *counters, const struct recording *interval)
{
	struct cost before;

	pthread_mutex_lock(&counters->lock);
	before = counters->cost;
	counters->cost = interval->cost;
	counters->cost.user_ns += before.user_ns;
	counters->cost.system_ns += before.system_ns;
	counters->cost.drain_ns += before.drain_ns;
	counters->cost.symbols_ns += before.symbols_ns;
	counters->cost.program_ns += before.program_ns;
	counters->cost.program_runs += before.program_runs;
	counters->rate_hz = recording__left_hz(interval);
	for (; interval; interval = interval->more) {
		const char *name = interval->facts[FACT_EVENT];
		struct event_counters *event = find_event(counters, name ? name : "");

		if (!event)
			continue;
		ledger__add(&event->ledger, &interval->ledger);
		event->weight =
			sum_of(event->weight, profile__total(interval->profile, VALUE_WEIGHT));
	}
	pthread_mutex_unlock(&counters->lock);
}

bool counters__know(struct counters *counters, const char *event)
{
	bool is_known;

	pthread_mutex_lock(&counters->lock);
	is_known = !counters->nr_events;
	for (size_t i = 0; i < counters->nr_events; i++)
		is_known |= !strcmp(counters->events[i].event, event);
	pthread_mutex_unlock(&counters->lock);
	return is_known;
}

void counters__count_request(struct counters *counters, enum request_outcome outcome)
{
	pthread_mutex_lock(&counters->lock);
	counters->nr_requests[outcome]++;
	pthread_mutex_unlock(&counters->lock);
}

void counters__count_spooled(struct counters *counters, int code)
{
	pthread_mutex_lock(&counters->lock);
	counters->nr_spooled += !code;
	counters->nr_unspooled += code != 0;
	pthread_mutex_unlock(&counters->lock);
}

void counters__set_saved(struct counters *counters, uint64_t nr_saved, uint64_t nr_removed,
			 uint64_t nr_failed)
{
	pthread_mutex_lock(&counters->lock);
	counters->rules.nr_saved = nr_saved;
	counters->rules.nr_removed = nr_removed;
	counters->rules.nr_failed = nr_failed;
	pthread_mutex_unlock(&counters->lock);
}

void counters__set_suppressed(struct counters *counters, uint64_t nr_suppressed)
{
	pthread_mutex_lock(&counters->lock);
	counters->rules.nr_suppressed = nr_suppressed;
	pthread_mutex_unlock(&counters->lock);
}

/* ---- writing ---- */

static void write_family(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP topstacks_%s %s\n# TYPE topstacks_%s %s\n", name, help, name, type);
}

/* Writes a label. Names of events may have any character, so the value is escaped. */
static void write_label(FILE *out, const char *key, const char *value)
{
	fprintf(out, "%s=\"", key);
	for (; *value; value++)
		if (*value == '\\' || *value == '"')
			fprintf(out, "\\%c", *value);
		else
			fputc((unsigned char)*value < ' ' ? ' ' : *value, out);
	fputc('"', out);
}

static void write_count(FILE *out, const char *name, const char *key, const char *value,
			uint64_t count)
{
	fprintf(out, "topstacks_%s{", name);
	write_label(out, key, value);
	fprintf(out, "} %" PRIu64 "\n", count);
}

static void write_event_count(FILE *out, const char *name, const struct event_counters *event,
			      const char *key, const char *value, uint64_t count)
{
	fprintf(out, "topstacks_%s{", name);
	write_label(out, "event", event->event);
	fputc(',', out);
	write_label(out, key, value);
	fprintf(out, "} %" PRIu64 "\n", count);
}

static void write_seconds(FILE *out, const char *name, const char *key, const char *value,
			  uint64_t ns)
{
	fprintf(out, "topstacks_%s{", name);
	write_label(out, key, value);
	fputs("} ", out);
	text__print_number(out, (double)ns / 1e9);
	fputc('\n', out);
}

static void write_single(FILE *out, const char *name, const char *type, const char *help,
			 double number)
{
	write_family(out, name, type, help);
	fprintf(out, "topstacks_%s ", name);
	text__print_number(out, number);
	fputc('\n', out);
}

/* Writes what became of each event, and the sampled CPU time by the scheduler's account. */
static void write_events(FILE *out, const struct counters *counters)
{
	const struct event_counters *event, *end = counters->events + counters->nr_events;

	write_family(out, "samples_total", "counter",
		     "Events of sampling by what became of them; all but the lost ones.");
	for (event = counters->events; event < end; event++) {
		const struct ledger *ledger = &event->ledger;
		const char *name = "samples_total";

		write_event_count(out, name, event, "fate", "counted", ledger->counted);
		write_event_count(out, name, event, "fate", "idle", ledger->idle);
		write_event_count(out, name, event, "fate", "filtered", ledger->filtered);
	}
	write_family(out, "lost_samples_total", "counter",
		     "Events that are in no count, by reason.");
	for (event = counters->events; event < end; event++)
		for (enum loss loss = 0; loss < LOSSES; loss++)
			write_event_count(out, "lost_samples_total", event, "reason",
					  loss__name(loss), event->ledger.lost[loss]);
	write_family(out, "stacks_total", "counter", "Samples that were counted, by their stacks.");
	for (event = counters->events; event < end; event++) {
		const struct ledger *ledger = &event->ledger;
		const char *name = "stacks_total";

		write_event_count(out, name, event, "stack", "whole", ledger->whole);
		write_event_count(out, name, event, "stack", "cut", ledger__cut(ledger));
		write_event_count(out, name, event, "stack", "unverified", ledger->unverified);
		write_event_count(out, name, event, "stack", "missing", ledger__missing(ledger));
	}
	write_family(out, "coverage_ratio", "gauge",
		     "CPU time sampled since the start by CPU time that the scheduler accounted.");
	for (event = counters->events; event < end; event++) {
		const double percent = ledger__coverage(&event->ledger);

		if (percent < 0)
			continue;
		fputs("topstacks_coverage_ratio{", out);
		write_label(out, "event", event->event);
		fputs("} ", out);
		text__print_number(out, percent / 100);
		fputc('\n', out);
	}
}

int counters__write(FILE *out, struct counters *counters, const struct store_facts *store)
{
	static const char *const outcomes[OUTCOMES] = {
		[OUTCOME_ANSWERED] = "answered",
		[OUTCOME_REFUSED] = "refused",
		[OUTCOME_FAILED] = "failed",
	};

	write_family(out, "build_info", "gauge", "Which topstacks this is.");
	fputs("topstacks_build_info{", out);
	write_label(out, "version", TOPSTACKS_VERSION);
	fputs("} 1\n", out);
	pthread_mutex_lock(&counters->lock);
	write_events(out, counters);
	write_single(out, "sampling_rate_hertz", "gauge",
		     "Samples a second on each CPU, lower than asked for if the cost was too high.",
		     counters->rate_hz);
	write_family(
		out, "cpu_seconds_total", "counter",
		"CPU time that topstacks took, by mode; the BPF programs run on others' account.");
	write_seconds(out, "cpu_seconds_total", "mode", "user", counters->cost.user_ns);
	write_seconds(out, "cpu_seconds_total", "mode", "system", counters->cost.system_ns);
	if (counters->cost.program_runs)
		write_seconds(out, "cpu_seconds_total", "mode", "bpf", counters->cost.program_ns);
	write_single(out, "resident_bytes", "gauge",
		     "Resident memory of the sampling process, the largest of all.",
		     (double)counters->cost.resident_bytes);
	write_single(out, "map_bytes", "gauge", "Memory of maps in the kernel.",
		     (double)counters->cost.kernel_bytes);
	write_single(out, "symbols_bytes", "gauge", "Memory of names and mappings.",
		     (double)counters->cost.symbols_bytes);
	write_family(out, "requests_total", "counter",
		     "Requests that reached the sampler, by what became of them.");
	for (int outcome = 0; outcome < OUTCOMES; outcome++)
		write_count(out, "requests_total", "outcome", outcomes[outcome],
			    counters->nr_requests[outcome]);
	write_family(out, "spool_files_total", "counter", "Files for the spool, by outcome.");
	write_count(out, "spool_files_total", "outcome", "written", counters->nr_spooled);
	write_count(out, "spool_files_total", "outcome", "failed", counters->nr_unspooled);
	write_family(out, "rule_files_total", "counter",
		     "Profiles that rules wanted to be kept, by outcome.");
	write_count(out, "rule_files_total", "outcome", "saved", counters->rules.nr_saved);
	write_count(out, "rule_files_total", "outcome", "suppressed",
		    counters->rules.nr_suppressed);
	write_count(out, "rule_files_total", "outcome", "removed", counters->rules.nr_removed);
	write_count(out, "rule_files_total", "outcome", "failed", counters->rules.nr_failed);
	pthread_mutex_unlock(&counters->lock);
	write_single(out, "kept_seconds", "gauge", "How far back profiles can be had.",
		     (double)store->reach_ns / 1e9);
	write_single(out, "kept_bytes", "gauge", "Memory of what is kept.",
		     (double)store->nr_bytes);
	write_single(out, "kept_slices", "gauge", "Slices of time that are kept.",
		     (double)store->nr_slices);
	write_single(out, "forgotten_slices_total", "counter",
		     "Slices that went before their time, since memory was full.",
		     (double)store->nr_forgotten);
	return text__stream_error(out);
}
