// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of a pprof file: their stacks, the values that were chosen, and what their labels say of
 * process, thread, control group, wait and slice. Negative values and dangling locations are refused.
 */
#include <errno.h>
#include <string.h>

#include "formats/pprof/reader.h"

static int fill_stack(struct pprof_reader *reader, const Pprof__Sample *sample, uint32_t *stack)
{
	size_t nr_frames = 0;

	for (size_t i = 0; i < sample->n_location_id; i++) {
		const struct pprof_location *location =
			pprof_reader__location(reader, sample->location_id[i]);

		if (!location)
			return pprof_reader__refuse(reader,
						    "a sample is at a location that is not there");
		if (location->nr_frames > PPROF_MAX_FRAMES - nr_frames)
			return pprof_reader__refuse(reader, "a stack has more than 4,096 frames");
		memcpy(reader->stack + nr_frames, location->frames,
		       location->nr_frames * sizeof(*location->frames));
		nr_frames += location->nr_frames;
	}
	*stack = dictionary__add_stack(profile__dictionary(reader->recording->profile),
				       reader->stack, nr_frames);
	if (*stack == ID_NONE)
		return error__no_memory(reader->err);
	return pprof_reader__count(reader, nr_frames + 1);
}

static int check_values(struct pprof_reader *reader, const Pprof__Sample *sample)
{
	if (sample->n_value != reader->nr_types)
		return pprof_reader__refuse(reader,
					    "a sample has not as many values as there are types");
	for (size_t i = 0; i < VALUES * reader->nr_events; i++) {
		size_t index = reader->events[i / VALUES].index[i % VALUES];

		if (index != NO_TYPE && sample->value[index] < 0)
			return pprof_reader__refuse(
				reader, "a value is negative (is it a difference of two "
					"profiles?)");
	}
	return 0;
}

/* Those of one event. */
static void fill_values(const struct pprof_event *event, const Pprof__Sample *sample,
			uint64_t *values)
{
	for (int value = 0; value < VALUES; value++)
		values[value] = event->index[value] == NO_TYPE
					? 0
					: (uint64_t)sample->value[event->index[value]];
}

/* What a sample is labelled with, as far as we know it. */
struct sample_owner {
	struct process process;
	int64_t thread;
	const char *thread_name; /* NULL: none */
	int64_t slice;		 /* -1: none */
	enum wait_state state;
	enum wait_kind kind;
};

static int take_label(struct pprof_reader *reader, const Pprof__Label *label,
		      struct sample_owner *owner)
{
	const char *key, *text;
	int code = pprof_reader__string(reader, label->key_str, &key);

	if (!code)
		code = pprof_reader__string(reader, label->text_str, &text);
	if (code || !key)
		return code;
	if (!strcmp(key, LABEL_COMM) && text)
		memcpy(owner->process.comm, text, strnlen(text, PROCESS_COMM_SIZE - 1));
	if (!strcmp(key, LABEL_THREAD_NAME))
		owner->thread_name = text;
	if (!strcmp(key, LABEL_COMMAND_LINE))
		owner->process.command_line = text;
	if (!strcmp(key, LABEL_CGROUP_PATH))
		owner->process.cgroup_path = text;
	if (!strcmp(key, LABEL_STATE))
		owner->state = wait_state__find(text);
	if (!strcmp(key, LABEL_WAIT))
		owner->kind = wait_kind__find(text);
	if (text)
		return 0;
	if (!strcmp(key, LABEL_CGROUP))
		owner->process.cgroup = (uint64_t)label->number;
	if (!strcmp(key, LABEL_SLICE))
		owner->slice = reader->recording->slice_ns ? label->number : -1;
	if (strcmp(key, LABEL_PID) && strcmp(key, LABEL_OWN_PID) && strcmp(key, LABEL_THREAD))
		return 0;
	if (label->number < 0 || label->number > INT32_MAX)
		return pprof_reader__refuse(reader, "a process or thread id is out of range");
	if (!strcmp(key, LABEL_PID))
		owner->process.pid = (int32_t)label->number;
	else if (!strcmp(key, LABEL_OWN_PID))
		owner->process.own_pid = (int32_t)label->number;
	else
		owner->thread = label->number;
	return 0;
}

static int add_sample(struct pprof_reader *reader, struct recording *event,
		      const struct sample *sample, int64_t slice)
{
	int code = profile__add(event->profile, sample);

	if (!code && slice >= 0)
		code = recording__add_to_slice(event, (size_t)slice, sample);
	if (code == -ERANGE)
		return pprof_reader__refuse(reader, "it has too many slices");
	return code ? error__no_memory(reader->err) : 0;
}

/* One that an event has not seen is 0 there. */
static int add_to_events(struct pprof_reader *reader, const Pprof__Sample *part,
			 struct sample *sample, int64_t slice)
{
	int code = 0;

	for (size_t i = 0; i < reader->nr_events && !code; i++) {
		fill_values(&reader->events[i], part, sample->values);
		if (reader->nr_events == 1 || sample->values[VALUE_COUNT] ||
		    sample->values[VALUE_WEIGHT])
			code = add_sample(reader, reader->events[i].recording, sample, slice);
	}
	return code;
}

int pprof_reader__take_sample(struct pprof_reader *reader, const struct wire_field *field)
{
	struct sample_owner owner = {.slice = -1};
	struct sample sample = {0};
	const Pprof__Sample *part;
	int code = 0;

	if (field->number != PROFILE_SAMPLE)
		return 0;
	part = pprof_reader__decode(reader, &pprof__sample__descriptor, field);
	if (!part)
		return pprof_reader__refuse(reader, "a sample cannot be decoded");
	code = check_values(reader, part);
	if (!code)
		code = fill_stack(reader, part, &sample.stack);
	for (size_t i = 0; i < part->n_label && !code; i++)
		code = take_label(reader, part->label[i], &owner);
	if (code)
		return code;
	sample.process = dictionary__add_kept_process(
		profile__dictionary(reader->recording->profile), &owner.process);
	sample.tid = (int32_t)owner.thread;
	if (owner.state) /* without one, nobody knows that it waited */
		sample.wait = WAIT(owner.state, owner.kind);
	if (sample.process == ID_NONE ||
	    sample__name_thread(&sample, profile__dictionary(reader->recording->profile),
				owner.thread_name))
		return error__no_memory(reader->err);
	return add_to_events(reader, part, &sample, owner.slice);
}
