// SPDX-License-Identifier: GPL-2.0-only
/*
 * An interval as one JSON object on one line; docs/json.md has the schema. The output is valid for
 * any bytes in names and in every locale. Integers are written whole, up to 64 bits.
 */

#include "formats/formats.h"
#include "formats/frame_texts.h"
#include "formats/json_errors.h"
#include "formats/json_text.h"
#include "profile/owner.h"

static void write_stacks(struct json *json, const struct ledger *ledger)
{
	json__open(json, "stacks", '{');
	json__count(json, "whole", ledger->whole);
	json__count(json, "truncated", ledger__cut(ledger));
	json__open(json, "truncated_by", '{');
	for (int cut = 0; cut < CUTS; cut++)
		json__count(json, cut__name((enum cut)cut), ledger->cut[cut]);
	json__close(json, '}');
	json__count(json, "unverified", ledger->unverified);
	json__count(json, "early", ledger->early);
	json__count(json, "missing", ledger__missing(ledger));
	json__open(json, "missing_by", '{');
	for (int missing = 0; missing < MISSINGS; missing++)
		json__count(json, missing__name((enum missing)missing), ledger->missing[missing]);
	json__close(json, '}');
	json__count(json, "unmapped", ledger->unmapped);
	json__close(json, '}');
}

/* True if weights are nanoseconds: only these can be compared with the scheduler's time. */
static bool is_time(const struct profile *profile)
{
	return metric__unit_ns(&profile__metrics(profile)->of[VALUE_WEIGHT]) == 1;
}

static void write_ledger(struct json *json, const struct recording *recording)
{
	const struct ledger *ledger = &recording->ledger;
	/* the scheduler gave the sampled time to threads: not so for time off the CPU */
	const bool covers_time = is_time(recording->profile) &&
				 (recording->asked_hz > 0 || !ledger__has_wall(ledger));

	json__open(json, "ledger", '{');
	json__count(json, "events", ledger->events);
	json__count(json, "counted", ledger->counted);
	json__count(json, "idle", ledger->idle);
	json__count(json, "filtered", ledger->filtered);
	json__count(json, "lost", ledger__lost(ledger));
	json__open(json, "lost_by", '{'); /* also reasons that did not happen */
	for (int loss = 0; loss < LOSSES; loss++)
		json__count(json, loss__name((enum loss)loss), ledger->lost[loss]);
	json__close(json, '}');
	json__count(json, "kept_out", ledger->kept_out);
	json__boolean(json, "lost_measured", !ledger->lost_unmeasured);
	json__boolean(json, "balanced", ledger__balances(ledger));
	json__count(json, "allocated_bytes", ledger->allocated);
	json__count(json, "due", ledger->due);
	if (ledger->idle_excluded)
		json__null(json, "late_or_skipped");
	else
		json__count(json, "late_or_skipped", ledger->late);
	json__boolean(json, "idle_excluded", ledger->idle_excluded);

	json__open(json, "coverage", '{');
	if (covers_time)
		json__seconds(json, "sampled_s", ledger->sampled_ns);
	else
		json__null(json, "sampled_s");
	json__seconds(json, "ran_s", ledger->ran_ns);
	json__boolean(json, "measured", !ledger->ran_unmeasured);
	json__close(json, '}');
	write_stacks(json, ledger);

	/* the time of threads; all 0 if no waits were sampled */
	json__count(json, "wall_ns", ledger->wall_ns);
	json__count(json, "running_ns", ledger->running_ns);
	json__count(json, "runnable_ns", ledger->runnable_ns);
	json__count(json, "blocked_ns", ledger->blocked_ns);
	json__count(json, "unknown_ns", ledger->unknown_ns);
	json__count(json, "unplaced_ns", ledger->unplaced_ns);
	json__count(json, "scheduled_ns", ledger->scheduled_ns);
	json__count(json, "delayed_ns", ledger->delayed_ns);
	json__count(json, "uncredited_ns", ledger->uncredited_ns);
	json__count(json, "overcredited_ns", ledger->overcredited_ns);
	json__count(json, "switches", ledger->switches);
	json__count(json, "asleep", ledger->asleep);
	json__count(json, "asleep_walked", ledger->asleep_walked);

	json__count(json, "children_not_followed", ledger->children_not_followed);
	json__count(json, "processes_unlisted", ledger->processes_unlisted);
	json__count(json, "processes_unprobed", ledger->processes_unprobed);
	json__seconds(json, "unprobed_s", ledger->unprobed_ns);
	json__count(json, "processes_unnamed", ledger->processes_unnamed);
	json__count(json, "stateless", ledger->stateless);
	json__count(json, "out_of_step", ledger->out_of_step);
	json__count(json, "codes_full", ledger->codes_full);
	json__count(json, "codes_bad", ledger->codes_bad);
	json__count(json, "programs_unsampled", ledger->programs_unsampled);
	json__count(json, "unread", ledger->unread);
	json__count(json, "unread_descriptors", ledger->unread_descriptors);
	json__count(json, "unread_processes", ledger->unread_processes);
	json__count(json, "unread_refused", ledger->unread_refused);
	json__count(json, "runtime_untracked", ledger->runtime_untracked);
	json__count(json, "records_lost", ledger->records_lost);
	json__count(json, "places_lost", ledger->places_lost);
	json__count(json, "stacks_read", ledger->stacks_read);
	json__seconds(json, "stacks_read_s", ledger->stacks_read_ns);
	json__count(json, "map_calls", ledger->map_calls);
	json__seconds(json, "map_calls_s", ledger->map_calls_ns);
	json__count(json, "drains", ledger->drains);
	json__seconds(json, "flip_s", ledger->flip_ns);
	json__seconds(json, "grace_s", ledger->grace_ns);
	json__close(json, '}');
}

static void write_quality(struct json *json, const struct quality *quality)
{
	char advice[512];

	json__open(json, "quality", '{');
	json__count(json, "frames", quality->frames);
	json__count(json, "unresolved", quality->unresolved);
	json__count(json, "samples", quality->samples);
	json__count(json, "leaves", quality->leaves);
	json__count(json, "unidentified", quality->unidentified);
	json__count(json, "truncated", quality->truncated);
	json__count(json, "one_frame", quality->one_frame);
	json__open(json, "causes", '[');
	for (size_t i = 0; i < quality->nr_causes; i++) {
		const struct quality_cause *cause = &quality->causes[i];

		quality__advice(quality, i, advice, sizeof(advice));
		json__open(json, NULL, '{');
		json__string(json, "module", cause->module);
		json__string(json, "path", cause->path);
		json__string(json, "build_id", cause->build_id);
		json__string(json, "package", cause->package);
		json__count(json, "unresolved", cause->unresolved);
		json__count(json, "ended", cause->ended);
		json__string(json, "advice", advice);
		json__close(json, '}');
	}
	json__close(json, ']');
	json__close(json, '}');
}

static void write_cost(struct json *json, const struct cost *cost)
{
	json__open(json, "cost", '{');
	json__seconds(json, "user_s", cost->user_ns);
	json__seconds(json, "system_s", cost->system_ns);
	json__count(json, "resident_bytes", cost->resident_bytes);
	json__count(json, "peak_bytes", cost->peak_bytes);
	json__count(json, "kernel_bytes", cost->kernel_bytes);
	json__count(json, "symbols_bytes", cost->symbols_bytes);
	json__seconds(json, "drain_s", cost->drain_ns);
	json__seconds(json, "symbols_s", cost->symbols_ns);
	json__seconds(json, "display_s", cost->display_ns);
	json__count(json, "program_runs", cost->program_runs);
	json__seconds(json, "program_s", cost->program_ns);
	json__seconds(json, "elapsed_s", cost->elapsed_ns);
	json__close(json, '}');
}

static void write_frame(struct json *json, const struct frame *frame)
{
	json__open(json, NULL, '{');
	json__string(json, "function", frame->function);
	json__string(json, "module", frame->module);
	json__string(json, "kind", frame_kind__name(frame->kind));
	/* Without a module, merged frames have different addresses: none is written. */
	if (frame->has_start)
		json__count(json, "offset", frame__start(frame));
	else if (!frame->function && frame->module)
		json__count(json, "offset", frame->address);
	if (!frame->function)
		json__boolean(json, "identified", frame->has_start);
	if (frame->file) {
		json__string(json, "file", frame->file);
		if (frame->line)
			json__count(json, "line", frame->line);
	}
	if (frame->inlined)
		json__boolean(json, "inlined", true);
	json__close(json, '}');
}

static void print_frame(FILE *out, const struct dictionary *dictionary, uint32_t id)
{
	struct json json = {.out = out};

	write_frame(&json, dictionary__frame(dictionary, id));
	json__flush(&json);
}

static void write_container(struct json *json, const struct process *process)
{
	char container[CONTAINER_NAME_SIZE];
	const size_t length = container__name(process->cgroup_path, container, sizeof(container));

	json__string(json, "cgroup_path", process->cgroup_path);
	json__string(json, "container", length ? container : NULL);
}

/* Writes the metrics of the samples. */
static void write_metrics(struct json *json, const struct profile *profile)
{
	static const char *const keys[VALUES] = {
		[VALUE_COUNT] = "count", [VALUE_WEIGHT] = "weight"};
	const struct metrics *metrics = profile__metrics(profile);

	json__open(json, "values", '{');
	json__string(json, "shown", keys[metrics->shown]);
	for (int value = 0; value < VALUES; value++) {
		const struct metric *metric = &metrics->of[value];

		if (!metric->name) {
			json__null(json, keys[value]);
			continue;
		}
		json__open(json, keys[value], '{');
		json__string(json, "type", metric->name);
		json__string(json, "unit", metric->unit);
		json__count(json, "total", profile__total(profile, (enum value)value));
		json__close(json, '}');
	}
	json__close(json, '}');
}

/*
 * The text of a row up to its frames. Rows are in order of values, and many are equal but for their
 * stacks: the text is made once for all of these.
 */
struct row_head {
	struct row row;
	char *bytes; /* NULL: none is made yet */
	size_t nr_bytes;
};

/* group: the number of the row's group of rows that do not differ; 0: not known. */
static void make_head(struct row_head *head, const struct profile *profile,
		      const struct json_certainty *certainty, size_t group)
{
	const struct row *row = &head->row;
	const struct process *process =
		dictionary__process(profile__dictionary(profile), row->process);
	/* older schemas always had "weight_ns" */
	const char *const weight_key = is_time(profile) ? "weight_ns" : "weight";
	struct json json = {0};

	free(head->bytes);
	json.out = xmemstream(&head->bytes, &head->nr_bytes);
	json__open(&json, NULL, '{');
	json__integer(&json, "pid", process->pid);
	if (row->tid)
		json__integer(&json, "tid", row->tid);
	if (row->thread)
		json__string(&json, "thread", row->thread);
	json__string(&json, "comm", process->comm);
	json__integer(&json, "own_pid", process->own_pid);
	write_container(&json, process);
	json__count(&json, "count", row->values[VALUE_COUNT]);
	json__count(&json, weight_key, row->values[VALUE_WEIGHT]);
	json_errors__write_shares(&json, certainty, row->values, row->squares);
	if (group)
		json__count(&json, "group", group);
	if (row->wait) {
		json__string(&json, "wait", wait__describe(row->wait));
		json__open(&json, "state", '{');
		for (int state = WAIT_UNKNOWN + 1; state < WAIT_STATES; state++)
			if (row->by_state[state])
				json__count(&json, wait_state__name((enum wait_state)state),
					    row->by_state[state]);
		json__close(&json, '}');
	}
	json__open(&json, "frames", '[');
	json__flush(&json);
	xfclose(json.out);
}

static void write_frames(struct json *json, struct frame_texts *texts, uint32_t stack)
{
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(texts->dictionary, stack, &nr_frames);

	for (size_t i = 0; i < nr_frames; i++) {
		const struct frame_text *text = frame_texts__get(texts, frames[i]);

		if (text)
			json__made(json, text->bytes, text->nr_bytes);
		else
			write_frame(json, dictionary__frame(texts->dictionary, frames[i]));
	}
	json__close(json, ']');
	json__close(json, '}');
}

/* Writes all stacks by thread, which without threads is by process, and their errors. */
static void write_rows(struct json *json, const struct recording *recording)
{
	const struct profile *profile = recording->profile;
	const enum value value = profile__metrics(profile)->shown;
	struct json_certainty certainty;
	struct row *rows;
	const size_t nr = (size_t)profile__top_stacks(profile, MERGE_BY_THREAD, &rows);
	struct portion *parts = xcalloc(nr + 1, sizeof(*parts));
	size_t *groups = xcalloc(nr + 1, sizeof(*groups));
	struct frame_texts texts;
	struct row_head head = {0};

	json_certainty__init(&certainty, recording);
	for (size_t i = 0; i < nr; i++)
		parts[i] = (struct portion){(double)rows[i].values[value], rows[i].squares};
	if (!certainty.of.lack)
		certainty__number(certainty.has_spent ? &certainty.spent : &certainty.of, parts, nr,
				  groups);
	json_errors__write(json, &certainty);
	frame_texts__init(&texts, profile__dictionary(profile), print_frame);
	json__open(json, "samples", '[');
	for (size_t i = 0; i < nr; i++) {
		const uint32_t stack = rows[i].stack;

		rows[i].stack = 0;
		if (!head.bytes || groups[i] != groups[i - 1] ||
		    memcmp(&head.row, &rows[i], sizeof(head.row)) != 0) {
			head.row = rows[i];
			make_head(&head, profile, &certainty, groups[i]);
		}
		json__made(json, head.bytes, head.nr_bytes);
		json->comma = false;
		write_frames(json, &texts, stack);
	}
	json__close(json, ']');
	frame_texts__fini(&texts);
	free(head.bytes);
	free(groups);
	free(parts);
	free(rows);
}

/* Writes thinning, if there was any. */
static void write_thinned(struct json *json, const struct thinned *thinned)
{
	if (thinned->one_in < 2)
		return;
	json__count(json, "one_in", thinned->one_in);
	json__seconds(json, "one_in_since_s", thinned->since_ns);
}

/*
 * Opens the object of an event in the list. The shown event is written outside of the list, so here
 * it is only named: returns false.
 */
static bool open_event(struct json *json, const struct recording *event,
		       const struct recording *shown)
{
	json__open(json, NULL, '{');
	json__string(json, "event", event->facts[FACT_EVENT]);
	json__boolean(json, "shown", event == shown);
	if (event == shown)
		return false;
	json__rate(json, "asked_hz", event->asked_hz);
	json__rate(json, "delivered_hz", event->delivered_hz);
	json__rate(json, "lowered_hz", event->lowered_hz);
	json__count(json, "period", event->period);
	write_thinned(json, &event->thinned);
	write_metrics(json, event->profile);
	return true;
}

static void write_lost_abilities(struct json *json, const struct recording *recording)
{
	const struct lost_ability *lost = recording->lost_abilities;

	json__open(json, "lost_abilities", '[');
	for (size_t i = 0; i < MOST_LOST_ABILITIES && lost[i].name; i++) {
		json__open(json, NULL, '{');
		json__string(json, "name", lost[i].name);
		json__string(json, "instead", lost[i].instead);
		json__string(json, "why", lost[i].why);
		json__close(json, '}');
	}
	json__close(json, ']');
}

int json__write_interval(FILE *out, const struct recording *interval)
{
	struct json json = {.out = out};

	json__open(&json, NULL, '{');
	json__string(&json, "schema", "topstacks.interval/1");
	json__realtime(&json, "time", recording__end_ns(interval));
	json__seconds(&json, "duration_s", interval->duration_ns);
	json__string(&json, "target", interval->facts[FACT_TARGET]);
	json__rate(&json, "asked_hz", interval->asked_hz);
	json__rate(&json, "delivered_hz", interval->delivered_hz);
	json__rate(&json, "lowered_hz", interval->lowered_hz);
	json__count(&json, "cpus", interval->nr_cpus);
	json__string(&json, "unwinding", interval->facts[FACT_UNWINDING]);
	write_lost_abilities(&json, interval);
	json__string(&json, "event", interval->facts[FACT_EVENT]);
	write_thinned(&json, &interval->thinned);
	write_metrics(&json, interval->profile);
	write_ledger(&json, interval);
	write_quality(&json, &interval->quality);
	write_cost(&json, &interval->cost);
	write_rows(&json, interval);
	if (interval->more) {
		json__open(&json, "events", '[');
		for (const struct recording *event = interval; event; event = event->more) {
			if (open_event(&json, event, interval)) {
				write_ledger(&json, event);
				write_quality(&json, &event->quality);
				write_rows(&json, event);
			}
			json__close(&json, '}');
		}
		json__close(&json, ']');
	}
	json__end(&json);
	return text__stream_error(out);
}

/* ---- recordings ---- */

static void write_recording_frame(struct json *json, const struct frame *frame)
{
	json__open(json, NULL, '{');
	json__string(json, "function", frame->function);
	json__string(json, "module", frame->module);
	json__string(json, "kind", frame_kind__name(frame->kind));
	json__string(json, "path", frame->path);
	json__string(json, "build_id", frame->build_id);
	json__count(json, "address", frame->address);
	if (frame->has_start)
		json__count(json, "start", frame__start(frame));
	else
		json__null(json, "start");
	json__string(json, "file", frame->file);
	json__count(json, "line", frame->line);
	json__boolean(json, "inlined", frame->inlined);
	json__close(json, '}');
}

static void write_ledger_if_any(struct json *json, const struct recording *recording)
{
	if (recording->has_ledger)
		write_ledger(json, recording);
	else
		json__null(json, "ledger");
}

/* Writes all samples with their errors. */
static void write_recording_samples(struct json *json, const struct recording *recording,
				    const struct write_options *options)
{
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	struct json_certainty certainty;
	size_t nr_samples, nr_frames;
	const struct sample *samples = profile__samples(recording->profile, &nr_samples);

	json_certainty__init(&certainty, recording);
	json_errors__write(json, &certainty);
	json__open(json, "samples", '[');
	for (const struct sample *sample = samples; sample < samples + nr_samples; sample++) {
		const struct process *process = dictionary__process(dictionary, sample->process);
		const enum wait_state state = wait__state(sample->wait);
		const enum wait_kind kind = wait__kind(sample->wait);
		const uint32_t *frames = dictionary__stack(dictionary, sample->stack, &nr_frames);
		int64_t user;
		const char *user_key = owner__key(process, &user);

		json__open(json, NULL, '{');
		json__string(json, "comm", process->comm);
		json__integer(json, "pid", process->pid);
		json__integer(json, "tid", sample->tid);
		json__string(json, "thread", sample__thread(sample, dictionary));
		json__integer(json, "own_pid", process->own_pid);
		if (user_key)
			json__integer(json, user_key, user);
		if (options->command_lines && process->command_line)
			json__string(json, "command_line", process->command_line);
		json__count(json, "cgroup", process->cgroup);
		write_container(json, process);
		json__count(json, "count", sample->values[VALUE_COUNT]);
		json__count(json, "weight", sample->values[VALUE_WEIGHT]);
		json_errors__write_shares(json, &certainty, sample->values, sample->squares);
		if (state)
			json__string(json, "state", wait_state__name(state));
		if (kind)
			json__string(json, "wait", wait_kind__name(kind));
		json__open(json, "frames", '[');
		for (size_t i = 0; i < nr_frames; i++)
			json__count(json, NULL, frames[i]);
		json__close(json, ']');
		json__close(json, '}');
	}
	json__close(json, ']');
}

int json__write_recording(FILE *out, const struct recording *recording,
			  const struct write_options *options)
{
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	const size_t nr_frames = dictionary__nr_frames(dictionary);
	struct json writer = {.out = out}, *json = &writer;

	json__open(json, NULL, '{');
	json__string(json, "schema", "topstacks.snapshot/1");
	write_metrics(json, recording->profile);

	json__open(json, "provenance", '{');
	for (int fact = 0; fact < FACTS; fact++)
		json__string(json, fact__name((enum fact)fact), recording->facts[fact]);
	if (recording->start_realtime_ns)
		json__realtime(json, "start", recording->start_realtime_ns);
	else
		json__null(json, "start");
	json__seconds(json, "duration_s", recording->duration_ns);
	json__rate(json, "asked_hz", recording->asked_hz);
	json__rate(json, "delivered_hz", recording->delivered_hz);
	json__count(json, "cpus", recording->nr_cpus);
	json__count(json, "period", recording->period);
	write_thinned(json, &recording->thinned);
	write_lost_abilities(json, recording);
	json__close(json, '}');

	write_ledger_if_any(json, recording);
	write_quality(json, &recording->quality);
	json__open(json, "frames", '[');
	for (uint32_t i = 0; i < nr_frames; i++)
		write_recording_frame(json, dictionary__frame(dictionary, i));
	json__close(json, ']');
	write_recording_samples(json, recording, options);
	if (recording->more) {
		json__open(json, "events", '[');
		for (const struct recording *event = recording; event; event = event->more) {
			if (open_event(json, event, recording)) {
				write_ledger_if_any(json, event);
				write_quality(json, &event->quality);
				write_recording_samples(json, event, options);
			}
			json__close(json, '}');
		}
		json__close(json, ']');
	}
	json__end(json);
	return text__stream_error(out);
}
