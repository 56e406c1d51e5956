// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a recording as a gzipped pprof profile.
 *
 * Protobuf messages that follow each other form one message. So a file is written as many small
 * profiles of one part each: a sample, or a location that no earlier sample needed. Only the tables
 * of written parts are held in memory.
 */

#include "formats/formats.h"
#include "formats/gzip.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/profile.pb-c.h"
#include "formats/pprof/slices.h"
#include "profile/interned.h"
#include "profile/owner.h"
#include "profile/pool.h"
#include "profile/recording.h"

#define MAX_LABELS 13

struct pprof_writer {
	const struct recording *recording;
	const struct metric *shown;
	const struct dictionary *dictionary;
	bool command_lines; /* may be written */
	enum write_labels labels;
	struct gzip *gzip;
	struct dictionary *strings; /* its strings are the string table */
	uint32_t nr_strings;	    /* of them: written */
	/*
	 * Parts that are written. Keys: name and file; module, path, build ID and kind; the frames
	 * of one address, inlined ones and their outer function. Strings are interned.
	 */
	struct pool functions, mappings, locations;
	int code; /* the first error; nothing is written after it */
	uint8_t *packed;
	size_t packed_bytes;
	uint64_t *ids_of_frames; /* of locations of a single frame, by frame; 0: none yet */
	uint64_t *location_ids;	 /* buffers for the current sample from here on */
	size_t nr_location_ids;
	int64_t *values;
	double *squares;
	uint8_t *slices; /* packed; empty if slices are not packed */
	size_t slices_capacity;
	struct slice_parts *slice_parts; /* by event; NULL: each slice has samples of its own */
	size_t nr_slice_parts;
};

/* ---- output ---- */

static void emit(struct pprof_writer *writer, const Pprof__Profile *part)
{
	size_t nr_bytes = pprof__profile__get_packed_size(part);

	if (writer->code)
		return;
	array__reserve(&writer->packed, &writer->packed_bytes, nr_bytes);
	pprof__profile__pack(part, writer->packed);
	writer->code = gzip__write(writer->gzip, writer->packed, nr_bytes);
}

/* ---- tables: new entries are written at once ---- */

/*
 * Replaces each byte that is not valid UTF-8, or part of a TEXT_NUL, by '?'. The caller frees it.
 */
static char *mend_text(const char *string)
{
	char *mended = xstrdup(string);
	uint32_t code;
	size_t length;

	for (const char *at = string; *at; at += length) {
		length = character__decode(at, &code);
		if (!code || code == NOT_UTF8)
			memset(mended + (at - string), '?', length);
	}
	return mended;
}

/*
 * Index in the string table; 0 for NULL. With labels for strangers, which servers get, text must be
 * UTF-8.
 */
static int64_t string_id(struct pprof_writer *writer, const char *string)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	ProtobufCBinaryData bytes;
	char *text;
	uint32_t id;

	if (!string)
		return 0;
	text = writer->labels ? mend_text(string) : NULL;
	id = dictionary__add_string(writer->strings, text ? text : string);
	if (id >= writer->nr_strings) {
		text = text ? text : xstrdup(string);
		bytes = (ProtobufCBinaryData){text__to_bytes(text), (uint8_t *)text};
		part.n_string_table = 1;
		part.string_table = &bytes;
		emit(writer, &part);
		writer->nr_strings = id + 1;
	}
	free(text);
	return id;
}

/* The number of a key, from 1 on; *fresh: it is new, and has to be written. */
static uint64_t number(struct pool *pool, const void *key, size_t nr_bytes, bool *fresh)
{
	const size_t nr_items = pool->nr_items;
	const uint32_t id = pool__number(pool, key, nr_bytes);

	*fresh = id == nr_items;
	return (uint64_t)id + 1;
}

/* Id of a frame's function. A function without a symbol is named by its start. */
static uint64_t function_id(struct pprof_writer *writer, uint32_t id, const struct frame *frame)
{
	const char *const name = dictionary__frame_name(writer->dictionary, id);
	const uint64_t key[] = {(uintptr_t)name, (uintptr_t)frame->file, frame->start_line};
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions = &function;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	bool fresh;

	function.id = number(&writer->functions, key, sizeof(key), &fresh);
	if (!fresh)
		return function.id;
	function.name_str = string_id(writer, name);
	function.system_name_str = function.name_str;
	function.filename_str = string_id(writer, frame->file);
	function.start_line = frame->start_line;
	part.n_function = 1;
	part.function = &functions;
	emit(writer, &part);
	return function.id;
}

/*
 * Id of a frame's mapping. Addresses are relative to the file already, so the mapping is the whole
 * address space: 0 to ~0, offset 0 means to other tools that nothing is relocated.
 */
static uint64_t mapping_id(struct pprof_writer *writer, const struct frame *frame)
{
	const uintptr_t key[] = {(uintptr_t)frame->module, (uintptr_t)frame->path,
				 (uintptr_t)frame->build_id, frame->kind};
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings = &mapping;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	char *file_name;
	bool fresh;

	if (frame->kind == FRAME_USER && !frame->module && !frame->path)
		return 0;
	mapping.id = number(&writer->mappings, key, sizeof(key), &fresh);
	if (!fresh)
		return mapping.id;
	mapping.limit = UINT64_MAX;
	file_name = pprof__file_name(frame);
	mapping.filename_str = string_id(writer, file_name);
	free(file_name);
	mapping.build_id_str = string_id(writer, frame->build_id);
	/* names are final: other tools should not look for better ones */
	mapping.has_functions = true;
	mapping.has_filenames = true;
	mapping.has_line_numbers = true;
	mapping.has_inline_frames = true;
	part.n_mapping = 1;
	part.mapping = &mappings;
	emit(writer, &part);
	return mapping.id;
}

static uint64_t find_location(struct pprof_writer *writer, const uint32_t *frames,
			      uint32_t nr_frames)
{
	Pprof__Location location = PPROF__LOCATION__INIT, *locations = &location;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	const struct frame *frame = NULL;
	Pprof__Line *lines, **pointers;
	bool fresh;

	location.id = number(&writer->locations, frames, nr_frames * sizeof(*frames), &fresh);
	if (!fresh)
		return location.id;
	lines = xcalloc(nr_frames, sizeof(*lines));
	pointers = xcalloc(nr_frames, sizeof(Pprof__Line *));
	for (uint32_t i = 0; i < nr_frames; i++) {
		frame = dictionary__frame(writer->dictionary, frames[i]);
		if (!frame__is_identified(frame))
			continue;
		pointers[location.n_line] = &lines[location.n_line];
		pprof__line__init(&lines[location.n_line]);
		lines[location.n_line].function_id = function_id(writer, frames[i], frame);
		lines[location.n_line].line = frame->line;
		location.n_line++;
	}
	/* the last one, which is not inlined, has the address and the module */
	location.mapping_id = mapping_id(writer, frame);
	location.address = frame->address;
	location.line = pointers;
	part.n_location = 1;
	part.location = &locations;
	emit(writer, &part);
	free(lines);
	free(pointers);
	return location.id;
}

/* Id of a location. Nearly all are a single frame that is known already. */
static uint64_t location_id(struct pprof_writer *writer, const uint32_t *frames, uint32_t nr_frames)
{
	uint64_t *known = &writer->ids_of_frames[*frames];

	if (nr_frames > 1)
		return find_location(writer, frames, nr_frames);
	if (!*known)
		*known = find_location(writer, frames, 1);
	return *known;
}

/* ---- samples ---- */

static void add_number(struct pprof_writer *writer, Pprof__Label *label, const char *key,
		       int64_t value)
{
	pprof__label__init(label);
	label->key_str = string_id(writer, key);
	label->number = value;
}

static void add_text(struct pprof_writer *writer, Pprof__Label *label, const char *key,
		     const char *text)
{
	pprof__label__init(label);
	label->key_str = string_id(writer, key);
	label->text_str = string_id(writer, text);
}

/* Fills labels that strangers may see. */
static size_t fill_names(struct pprof_writer *writer, const struct process *process,
			 Pprof__Label *labels)
{
	char container[CONTAINER_NAME_SIZE];
	size_t nr = 0;

	if (writer->labels != WRITE_NAMES)
		return 0;
	if (*process->comm)
		add_text(writer, &labels[nr++], LABEL_COMM, process->comm);
	if (container__name(process->cgroup_path, container, sizeof(container)))
		add_text(writer, &labels[nr++], LABEL_CONTAINER, container);
	return nr;
}

/* slice: its number; -1: none. */
static size_t fill_labels(struct pprof_writer *writer, const struct sample *sample, int64_t slice,
			  Pprof__Label *labels)
{
	const struct process *process = dictionary__process(writer->dictionary, sample->process);
	const char *const state = wait_state__name(wait__state(sample->wait));
	const char *const wait = wait_kind__name(wait__kind(sample->wait));
	char container[CONTAINER_NAME_SIZE];
	int64_t user;
	const char *user_key = owner__key(process, &user);
	size_t nr = 0;

	if (writer->labels)
		return fill_names(writer, process, labels);
	if (*process->comm)
		add_text(writer, &labels[nr++], LABEL_COMM, process->comm);
	if (process->pid)
		add_number(writer, &labels[nr++], LABEL_PID, process->pid);
	if (process->own_pid && process->own_pid != process->pid)
		add_number(writer, &labels[nr++], LABEL_OWN_PID, process->own_pid);
	if (user_key)
		add_number(writer, &labels[nr++], user_key, user);
	if (sample->tid)
		add_number(writer, &labels[nr++], LABEL_THREAD, sample->tid);
	if (sample->thread)
		add_text(writer, &labels[nr++], LABEL_THREAD_NAME,
			 sample__thread(sample, writer->dictionary));
	if (writer->command_lines && process->command_line)
		add_text(writer, &labels[nr++], LABEL_COMMAND_LINE, process->command_line);
	if (process->cgroup)
		add_number(writer, &labels[nr++], LABEL_CGROUP, (int64_t)process->cgroup);
	if (process->cgroup_path)
		add_text(writer, &labels[nr++], LABEL_CGROUP_PATH, process->cgroup_path);
	if (container__name(process->cgroup_path, container, sizeof(container)))
		add_text(writer, &labels[nr++], LABEL_CONTAINER, container);
	if (*state)
		add_text(writer, &labels[nr++], LABEL_STATE, state);
	if (*wait)
		add_text(writer, &labels[nr++], LABEL_WAIT, wait);
	if (slice >= 0)
		add_number(writer, &labels[nr++], LABEL_SLICE, slice);
	return nr;
}

static void write_sample(struct pprof_writer *writer, const struct sample *from, int64_t slice)
{
	Pprof__Label labels[MAX_LABELS], *label_pointers[MAX_LABELS];
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples = &sample;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	size_t nr_frames, end, nr_bytes = 0;
	const uint32_t *frames = dictionary__stack(writer->dictionary, from->stack, &nr_frames);

	array__reserve(&writer->location_ids, &writer->nr_location_ids, nr_frames);
	for (size_t first = 0; first < nr_frames; first = end) {
		end = stack__location_end(writer->dictionary, frames, nr_frames, first);
		writer->location_ids[sample.n_location_id++] =
			location_id(writer, &frames[first], (uint32_t)(end - first));
	}
	sample.location_id = writer->location_ids;
	sample.n_value = pprof__fill_values(writer->recording, from, slice, writer->values);
	sample.value = writer->values;
	sample.n_squares = writer->labels ? 0
					  : pprof__fill_squares(writer->recording, from, slice,
								writer->squares);
	sample.squares = writer->squares;
	for (size_t i = 0; i < MAX_LABELS; i++)
		label_pointers[i] = &labels[i];
	sample.n_label = fill_labels(writer, from, slice, labels);
	sample.label = label_pointers;
	for (size_t i = 0; i < writer->nr_slice_parts; i++)
		slice_parts__pack(&writer->slice_parts[i], i, from, &writer->slices, &nr_bytes,
				  &writer->slices_capacity);
	sample.slices = (ProtobufCBinaryData){nr_bytes, writer->slices};
	part.n_sample = 1;
	part.sample = &samples;
	emit(writer, &part);
}

/* slice: its number; -1: all samples. */
static void write_slice(struct pprof_writer *writer, int64_t slice)
{
	for (const struct recording *event = writer->recording; event; event = event->more) {
		const struct profile *profile = pprof__slice(event, slice);
		size_t nr_samples = 0;
		const struct sample *samples =
			profile ? profile__samples(profile, &nr_samples) : NULL;

		for (size_t i = 0; i < nr_samples && !writer->code; i++)
			if (pprof__is_first(writer->recording, event, &samples[i], slice))
				write_sample(writer, &samples[i], slice);
	}
}

/* ---- fields of the profile itself ---- */

static void write_circumstances(struct pprof_writer *writer)
{
	const struct recording *recording = writer->recording;
	const struct metrics *metrics = profile__metrics(recording->profile);
	const struct metric *weight = &metrics->of[VALUE_WEIGHT];
	const struct metric *shown = writer->shown;
	Pprof__ValueType period_type = PPROF__VALUE_TYPE__INIT;
	Pprof__Profile part = PPROF__PROFILE__INIT;

	part.time_nanos = recording->start_realtime_ns;
	part.duration_nanos = pprof__clamp(recording->duration_ns);
	/*
	 * Without a default type we show samples, and other tools the last type. With several
	 * events the name of a type may be another event's.
	 */
	if (shown->name && (recording->more || strcmp(shown->name, metric__samples.name) != 0))
		part.default_sample_type_str = string_id(writer, shown->name);
	if (weight->name && recording->period) {
		period_type.type_str =
			string_id(writer, heap__has_blocks(recording) ? "space" : weight->name);
		period_type.unit_str = string_id(writer, weight->unit);
		part.period_type = &period_type;
		part.period = pprof__clamp(recording->period);
	}
	emit(writer, &part);
}

static void write_comments(struct pprof_writer *writer)
{
	bool more = true;

	for (size_t i = 0; more && !writer->code; i++) {
		Pprof__Profile part = PPROF__PROFILE__INIT;
		char *text;
		size_t nr_bytes;
		FILE *out = xmemstream(&text, &nr_bytes);
		int64_t id;

		more = pprof__write_comment(out, writer->recording, i);
		xfclose(out);
		if (nr_bytes) {
			id = string_id(writer, text);
			part.n_comment_str = 1;
			part.comment_str = &id;
			emit(writer, &part);
		}
		free(text);
	}
}

static void write_all(struct pprof_writer *writer)
{
	const size_t nr_slices = writer->slice_parts ? 0 : pprof__nr_slices(writer->recording);
	const struct recording *event = writer->recording;
	const struct frame *program = NULL;

	string_id(writer, ""); /* the format wants "" to be the first string */
	for (; event; event = event->more)
		for (int value = 0; value < VALUES; value++) {
			const struct metric *metric = &profile__metrics(event->profile)->of[value];
			Pprof__ValueType type = PPROF__VALUE_TYPE__INIT, *types = &type;
			Pprof__Profile part = PPROF__PROFILE__INIT;

			if (!metric->name)
				continue;
			type.type_str = string_id(writer, metric->name);
			type.unit_str = string_id(writer, metric->unit);
			part.n_sample_type = 1;
			part.sample_type = &types;
			emit(writer, &part);
		}
	for (event = writer->recording; event && !program; event = event->more)
		program = pprof__find_program(event->profile);
	if (program) /* its mapping comes first: tools take that for the main binary */
		mapping_id(writer, program);
	for (size_t i = 0; i < nr_slices; i++)
		write_slice(writer, (int64_t)i);
	if (!nr_slices)
		write_slice(writer, -1);
	write_circumstances(writer);
	if (!writer->labels)
		write_comments(writer);
}

int pprof__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	const size_t nr_events = recording__nr_events(recording);
	struct recording *events = pprof__order(recording);
	struct pprof_writer writer = {
		.recording = events,
		.shown = metrics__shown(profile__metrics(recording->profile)),
		.dictionary = dictionary,
		.command_lines = options->command_lines,
		.labels = options->labels,
		.gzip = gzip__new(out),
		.strings = dictionary__new(),
		.ids_of_frames = xcalloc(dictionary__nr_frames(dictionary) + 1, sizeof(uint64_t)),
		.values = xcalloc(VALUES * nr_events, sizeof(int64_t)),
		.squares = xcalloc(nr_events, sizeof(double)),
	};
	bool packs_slices = options->packs_slices;

	/* Writing slices only would lose samples that are in none. */
	for (const struct recording *event = events; event; event = event->more)
		packs_slices |= recording__nr_unsliced(event) > 0;
	if (packs_slices) {
		writer.slice_parts = xcalloc(nr_events, sizeof(*writer.slice_parts));
		for (const struct recording *event = events; event; event = event->more)
			slice_parts__init(&writer.slice_parts[writer.nr_slice_parts++], event);
	}
	writer.code = writer.gzip ? 0 : -ENOMEM;
	if (!writer.code)
		write_all(&writer);
	if (!writer.code)
		writer.code = gzip__finish(writer.gzip);
	gzip__free(writer.gzip);
	dictionary__free(writer.strings);
	pool__clear(&writer.functions);
	pool__clear(&writer.mappings);
	pool__clear(&writer.locations);
	free(writer.ids_of_frames);
	free(writer.packed);
	free(writer.location_ids);
	free(writer.values);
	free(writer.squares);
	for (size_t i = 0; i < writer.nr_slice_parts; i++)
		slice_parts__fini(&writer.slice_parts[i]);
	free(writer.slice_parts);
	free(writer.slices);
	free(events);
	return writer.code;
}
