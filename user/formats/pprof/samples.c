// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads samples of a pprof file: stacks, the chosen values, and labels on process, thread, cgroup,
 * wait and slice. Other labels are ignored. Dangling locations and differences of profiles are
 * errors.
 */

#include "formats/pprof/reader.h"
#include "formats/pprof/slices.h"
#include "profile/owner.h"

/* The labels of a sample. */
struct sample_owner {
	struct process process;
	int64_t thread;
	const char *thread_name; /* NULL: none */
	int64_t slice;		 /* -1: none */
	enum wait_state state;
	enum wait_kind kind;
};

/* A sample that is being decoded; its frames are in reader->stack. */
struct sample_part {
	size_t nr_frames, nr_values;
	uint64_t values[MAX_TYPES];
	struct sample_owner owner;
	struct wire slices; /* packed; empty: none */
	double squares[MAX_TYPES / VALUES];
	size_t nr_squares;
};

static int take_locations(struct pprof_reader *reader, struct wire ids, struct sample_part *part)
{
	size_t nr_frames = part->nr_frames;
	uint64_t id;

	while (ids.at < ids.end) {
		struct pprof_frames frames;

		if (wire__varint(&ids, &id))
			return pprof_reader__refuse(reader, "a sample cannot be decoded");
		frames = pprof_reader__location(reader, id);
		if (!frames.nr)
			return pprof_reader__refuse(reader,
						    "a sample is at a location that is not there");
		if (frames.nr > PPROF_MAX_FRAMES - nr_frames)
			return pprof_reader__refuse(reader, "a stack has more than 4,096 frames");
		reader->stack[nr_frames++] = frames.leaf;
		for (uint32_t i = 1; i < frames.nr; i++)
			reader->stack[nr_frames++] = frames.ids[i];
	}
	part->nr_frames = nr_frames;
	return 0;
}

static int refuse_values(struct pprof_reader *reader)
{
	return pprof_reader__refuse(reader, "a sample has not as many values as there are types");
}

static int take_values(struct pprof_reader *reader, struct wire values, struct sample_part *part)
{
	while (values.at < values.end) {
		if (part->nr_values == reader->head.nr_types)
			return refuse_values(reader);
		if (wire__varint(&values, &part->values[part->nr_values++]))
			return pprof_reader__refuse(reader, "a sample cannot be decoded");
	}
	return 0;
}

static void take_text(struct sample_owner *owner, const char *key, const char *text)
{
	if (!strcmp(key, LABEL_COMM))
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
}

/* Takes in a label with a number. Other tools write invalid ids, such as (unsigned)-1 for none. */
static void take_number(struct sample_owner *owner, const char *key, uint64_t number, bool sliced)
{
	if (!strcmp(key, LABEL_CGROUP))
		owner->process.cgroup = number;
	owner__take(&owner->process, key, (int64_t)number);
	if (!strcmp(key, LABEL_SLICE))
		owner->slice = sliced ? (int64_t)number : -1;
	if (number > INT32_MAX)
		return;
	if (!strcmp(key, LABEL_PID))
		owner->process.pid = (int32_t)number;
	if (!strcmp(key, LABEL_OWN_PID))
		owner->process.own_pid = (int32_t)number;
	if (!strcmp(key, LABEL_THREAD))
		owner->thread = (int64_t)number;
}

static int take_label(struct pprof_reader *reader, const struct wire_field *field,
		      struct sample_owner *owner)
{
	uint64_t label[LABEL_LAST];
	const char *key, *text;
	int code;

	if (wire__numbers(field, label, LABEL_LAST) || label[LABEL_KEY] >= reader->nr_strings ||
	    label[LABEL_TEXT] >= reader->nr_strings)
		return 0;
	code = pprof_reader__string(reader, label[LABEL_KEY], &key);
	if (!code)
		code = pprof_reader__string(reader, label[LABEL_TEXT], &text);
	if (code || !key)
		return code;
	if (text)
		take_text(owner, key, text);
	else
		take_number(owner, key, label[LABEL_NUMBER], reader->recording->slice_ns);
	return 0;
}

/* Adds a part of a slice to the chosen values of its event, which may be one type only. */
static int add_slice_part(struct pprof_reader *reader, uint64_t event,
			  const struct slice_part *part, const struct sample *like)
{
	struct sample sample = *like;

	sample.squares = 0;
	for (size_t i = 0; i < reader->nr_events; i++) {
		const size_t *index = reader->events[i].index;
		for (int value = 0; value < VALUES; value++)
			sample.values[value] = index[value] / VALUES == event
						       ? part->values[index[value] % VALUES]
						       : 0;
		if (sample.values[VALUE_COUNT] || sample.values[VALUE_WEIGHT])
			recording__add_to_slice(reader->events[i].recording, part->slice, &sample);
	}
	return pprof_reader__count(reader, 1);
}

/* Adds the packed slices of a sample. */
static int add_slices(struct pprof_reader *reader, const struct sample_part *part,
		      const struct sample *sample)
{
	struct slice_reading reading = {.wire = part->slices};
	struct slice_part slice;
	int more, next = 0, code = 0;

	while (!code && (more = slice_reading__begin(&reading)) > 0) {
		for (size_t i = 0; i < VALUES; i++)
			reading.whole[i] = reading.event < part->nr_values / VALUES
						   ? part->values[VALUES * reading.event + i]
						   : 0;
		while (!code && (next = slice_reading__next(&reading, &slice)) > 0)
			code = add_slice_part(reader, reading.event, &slice, sample);
		more = next;
		if (next < 0)
			break;
	}
	return code || more >= 0
		       ? code
		       : pprof_reader__refuse(reader, "its slices of time cannot be decoded");
}

/*
 * Adds a sample to all events with a value; an event without it has values of 0. The sum of squared
 * weights is taken if it is plausible: at least that of equal weights, and at most that of a single
 * event.
 */
static int add_to_events(struct pprof_reader *reader, const struct sample_part *part,
			 struct sample *sample)
{
	for (size_t i = 0; i < reader->nr_events; i++) {
		struct recording *recording = reader->events[i].recording;
		const size_t *index = reader->events[i].index;
		const size_t pair = index[VALUE_WEIGHT] / VALUES;
		double weight, count;

		for (int value = 0; value < VALUES; value++)
			sample->values[value] =
				index[value] == NO_TYPE ? 0 : part->values[index[value]];
		weight = (double)sample->values[VALUE_WEIGHT];
		count = (double)sample->values[VALUE_COUNT];
		sample->squares = pair < part->nr_squares ? part->squares[pair] : 0;
		if (!(sample->squares * count >= weight * weight &&
		      sample->squares <= weight * weight)) /* or it is no number */
			sample->squares = 0;
		if (reader->nr_events > 1 && !sample->values[VALUE_COUNT] &&
		    !sample->values[VALUE_WEIGHT])
			continue;
		profile__add(recording->profile, sample);
		if (part->owner.slice >= 0 &&
		    recording__add_to_slice(recording, (size_t)part->owner.slice, sample))
			return pprof_reader__refuse(reader, "it has too many slices");
	}
	return 0;
}

/* Reads squares: IEEE 754 doubles, lowest byte first. */
static void take_squares(const struct wire_field *field, struct sample_part *part)
{
	const size_t most = sizeof(part->squares) / sizeof(part->squares[0]);

	for (size_t at = 0; at + 8 <= field->nr_bytes && part->nr_squares < most; at += 8) {
		uint64_t bits = 0;

		for (size_t i = 8; i--;)
			bits = bits << 8 | field->content[at + i];
		memcpy(&part->squares[part->nr_squares++], &bits, sizeof(bits));
	}
}

static int take_field(struct pprof_reader *reader, const struct wire_field *field,
		      struct sample_part *part)
{
	switch (field->number) {
	case SAMPLE_LOCATION:
		if (wire__has_numbers(field))
			return take_locations(reader, wire__inside(field), part);
		break;
	case SAMPLE_VALUE:
		if (wire__has_numbers(field))
			return take_values(reader, wire__inside(field), part);
		break;
	case SAMPLE_LABEL:
		return take_label(reader, field, &part->owner);
	case SAMPLE_SLICES:
		if (field->type == WIRE_BYTES && reader->recording->slice_ns)
			part->slices = wire__inside(field);
		return 0;
	case SAMPLE_SQUARES:
		if (field->type == WIRE_BYTES)
			take_squares(field, part);
		return 0;
	default:
		return 0;
	}
	return pprof_reader__refuse(reader, "a sample cannot be decoded");
}

/* Fills all of the sample but its values, which depend on the event. */
static int fill_sample(struct pprof_reader *reader, const struct sample_part *part,
		       struct sample *sample)
{
	struct dictionary *dictionary = profile__dictionary(reader->recording->profile);
	const struct sample_owner *owner = &part->owner;

	sample->stack = dictionary__add_stack(dictionary, reader->stack, part->nr_frames);
	/* most samples have the process of the sample before */
	if (reader->process_id == ID_NONE ||
	    memcmp(&owner->process, &reader->process, sizeof(reader->process)) != 0) {
		memcpy(&reader->process, &owner->process, sizeof(reader->process));
		reader->process_id = dictionary__add_kept_process(dictionary, &reader->process);
	}
	sample->process = reader->process_id;
	sample->tid = (int32_t)owner->thread;
	if (owner->state) /* without a state it is not known to have waited */
		sample->wait = WAIT(owner->state, owner->kind);
	sample__name_thread(sample, dictionary, owner->thread_name);
	return pprof_reader__count(reader, part->nr_frames + 1);
}

int pprof_reader__take_sample(struct pprof_reader *reader, const struct wire_field *field)
{
	struct wire wire = wire__inside(field);
	struct wire_field inner;
	struct sample_part part;
	struct sample sample = {0};
	int more, code = 0;

	if (field->number != PROFILE_SAMPLE)
		return 0;
	part.nr_frames = part.nr_values = 0;
	part.owner = (struct sample_owner){.slice = -1};
	part.slices = (struct wire){0};
	part.nr_squares = 0;
	while (!code && (more = wire__next(&wire, &inner)) != 0)
		code = more < 0 ? pprof_reader__refuse(reader, "a sample cannot be decoded")
				: take_field(reader, &inner, &part);
	if (!code && part.nr_values != reader->head.nr_types)
		code = refuse_values(reader);
	for (size_t i = 0; i < VALUES * reader->nr_events && !code; i++) {
		const size_t index = reader->events[i / VALUES].index[i % VALUES];

		/* In a sum of savings and additions, shares would be meaningless. */
		if (index == NO_TYPE || part.values[index] <= INT64_MAX)
			continue;
		error__say(reader->err, EXIT_USAGE, -EINVAL,
			   "it is a difference of two profiles: some of its values are negative");
		code = error__remedy(reader->err,
				     "compare the two: topstacks diff BASE --against NEW");
	}
	if (!code)
		code = fill_sample(reader, &part, &sample);
	if (!code)
		code = add_to_events(reader, &part, &sample);
	return code ? code : add_slices(reader, &part, &sample);
}
