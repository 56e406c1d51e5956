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
	uint64_t *ids_of_frames; /* ids of single-frame locations, by frame; 0: none yet */
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

static void fail(struct pprof_writer *writer, int code)
{
	if (!writer->code)
		writer->code = code;
}

static void emit(struct pprof_writer *writer, const Pprof__Profile *part)
{
	size_t nr_bytes = pprof__profile__get_packed_size(part);

	if (writer->code)
		return;
	if (array__reserve(&writer->packed, &writer->packed_bytes, nr_bytes)) {
		fail(writer, -ENOMEM);
		return;
	}
	pprof__profile__pack(part, writer->packed);
	writer->code = gzip__write(writer->gzip, writer->packed, nr_bytes);
}

/* ---- tables: new entries are written at once ---- */

/*
 * Replaces each byte that is not valid UTF-8, or part of a TEXT_NUL, by '?'. The caller frees it.
 * NULL: nothing to replace, or out of memory.
 */
static char *mend_text(struct pprof_writer *writer, const char *string)
{
	char *mended = NULL;
	uint32_t code;
	size_t length;

	for (const char *at = string; *at; at += length) {
		length = character__decode(at, &code);
		if (code && code != NOT_UTF8)
			continue;
		if (!mended && !(mended = strdup(string))) {
			fail(writer, -ENOMEM);
			return NULL;
		}
		memset(mended + (at - string), '?', length);
	}
	return mended;
}

static int64_t known_string_id(struct pprof_writer *writer, const char *string)
{
	uint32_t id = string ? dictionary__add_string(writer->strings, string) : 0;
	ProtobufCBinaryData bytes;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	char *copy;

	if (id == ID_NONE) {
		fail(writer, -ENOMEM);
		return 0;
	}
	if (!string || id < writer->nr_strings)
		return id;
	copy = strdup(string);
	if (!copy) {
		fail(writer, -ENOMEM);
		return 0;
	}
	bytes = (ProtobufCBinaryData){text__to_bytes(copy), (uint8_t *)copy};
	part.n_string_table = 1;
	part.string_table = &bytes;
	emit(writer, &part);
	free(copy);
	writer->nr_strings = id + 1;
	return id;
}

/*
 * Index in the string table; 0 for NULL. With labels for strangers, which servers get, text must be
 * UTF-8.
 */
static int64_t string_id(struct pprof_writer *writer, const char *string)
{
	char *mended = string && writer->labels ? mend_text(writer, string) : NULL;
	const int64_t id = known_string_id(writer, mended ? mended : string);

	free(mended);
	return id;
}

/* The number of a key, from 1 on; *fresh: it is new, and has to be written. */
static uint64_t number(struct pprof_writer *writer, struct pool *pool, const void *key,
		       size_t nr_bytes, bool *fresh)
{
	size_t nr_items = pool->nr_items;
	uint32_t id = pool__number(pool, key, nr_bytes);

	*fresh = id == nr_items;
	if (id == ID_NONE)
		fail(writer, -ENOMEM);
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

	function.id = number(writer, &writer->functions, key, sizeof(key), &fresh);
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

static int64_t file_name_id(struct pprof_writer *writer, const struct frame *frame)
{
	int length = pprof__file_name(frame, NULL, 0);
	char *name = malloc((size_t)length + 1);
	int64_t id;

	if (!name) {
		fail(writer, -ENOMEM);
		return 0;
	}
	pprof__file_name(frame, name, (size_t)length + 1);
	id = string_id(writer, name);
	free(name);
	return id;
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
	bool fresh;

	if (frame->kind == FRAME_USER && !frame->module && !frame->path)
		return 0;
	mapping.id = number(writer, &writer->mappings, key, sizeof(key), &fresh);
	if (!fresh)
		return mapping.id;
	mapping.limit = UINT64_MAX;
	mapping.filename_str = file_name_id(writer, frame);
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

static void write_location(struct pprof_writer *writer, uint64_t id, const uint32_t *frames,
			   uint32_t nr_frames)
{
	Pprof__Location location = PPROF__LOCATION__INIT, *locations = &location;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Line *lines = calloc(nr_frames, sizeof(*lines));
	Pprof__Line **pointers = calloc(nr_frames, sizeof(Pprof__Line *));
	const struct frame *frame = NULL;

	for (uint32_t i = 0; lines && pointers && i < nr_frames; i++) {
		frame = dictionary__frame(writer->dictionary, frames[i]);
		if (!frame__is_identified(frame))
			continue;
		pointers[location.n_line] = &lines[location.n_line];
		pprof__line__init(&lines[location.n_line]);
		lines[location.n_line].function_id = function_id(writer, frames[i], frame);
		lines[location.n_line].line = frame->line;
		location.n_line++;
	}
	if (frame) { /* the last one, which is not inlined, has the address and the module */
		location.id = id;
		location.mapping_id = mapping_id(writer, frame);
		location.address = frame->address;
		location.line = pointers;
		part.n_location = 1;
		part.location = &locations;
		emit(writer, &part);
	} else {
		fail(writer, -ENOMEM);
	}
	free(lines);
	free(pointers);
}

static uint64_t find_location(struct pprof_writer *writer, const uint32_t *frames,
			      uint32_t nr_frames)
{
	bool fresh;
	uint64_t id =
		number(writer, &writer->locations, frames, nr_frames * sizeof(*frames), &fresh);

	if (fresh)
		write_location(writer, id, frames, nr_frames);
	return id;
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

/*
 * Fills the locations of a stack; inlined frames share the location of the next frame that is not
 * inlined. Returns their number.
 */
static size_t fill_locations(struct pprof_writer *writer, uint32_t stack)
{
	size_t nr_frames, nr_locations = 0;
	const uint32_t *frames = dictionary__stack(writer->dictionary, stack, &nr_frames);

	if (array__reserve(&writer->location_ids, &writer->nr_location_ids, nr_frames)) {
		fail(writer, -ENOMEM);
		return 0;
	}
	for (size_t i = 0, first = 0; i < nr_frames; i++) {
		if (dictionary__frame(writer->dictionary, frames[i])->inlined && i + 1 < nr_frames)
			continue;
		writer->location_ids[nr_locations++] =
			location_id(writer, &frames[first], (uint32_t)(i + 1 - first));
		first = i + 1;
	}
	return nr_locations;
}

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

static size_t fill_owner(struct pprof_writer *writer, const struct process *process,
			 Pprof__Label *labels)
{
	int64_t number;
	const char *key = owner__key(process, &number);

	if (key)
		add_number(writer, labels, key, number);
	return key != NULL;
}

static size_t fill_cgroup(struct pprof_writer *writer, const struct process *process,
			  Pprof__Label *labels)
{
	char container[CONTAINER_NAME_SIZE];
	size_t nr = 0;

	if (process->cgroup)
		add_number(writer, &labels[nr++], LABEL_CGROUP, (int64_t)process->cgroup);
	if (process->cgroup_path)
		add_text(writer, &labels[nr++], LABEL_CGROUP_PATH, process->cgroup_path);
	if (container__name(process->cgroup_path, container, sizeof(container)))
		add_text(writer, &labels[nr++], LABEL_CONTAINER, container);
	return nr;
}

/* Fills labels on the state and the wait, as far as known. */
static size_t fill_wait(struct pprof_writer *writer, uint32_t wait, Pprof__Label *labels)
{
	const char *const state = wait_state__name(wait__state(wait));
	const char *const kind = wait_kind__name(wait__kind(wait));
	size_t nr = 0;

	if (*state)
		add_text(writer, &labels[nr++], LABEL_STATE, state);
	if (*kind)
		add_text(writer, &labels[nr++], LABEL_WAIT, kind);
	return nr;
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
	size_t nr = 0;

	if (writer->labels)
		return fill_names(writer, process, labels);
	if (*process->comm)
		add_text(writer, &labels[nr++], LABEL_COMM, process->comm);
	if (process->pid)
		add_number(writer, &labels[nr++], LABEL_PID, process->pid);
	if (process->own_pid && process->own_pid != process->pid)
		add_number(writer, &labels[nr++], LABEL_OWN_PID, process->own_pid);
	nr += fill_owner(writer, process, &labels[nr]);
	if (sample->tid)
		add_number(writer, &labels[nr++], LABEL_THREAD, sample->tid);
	if (sample->thread)
		add_text(writer, &labels[nr++], LABEL_THREAD_NAME,
			 sample__thread(sample, writer->dictionary));
	if (writer->command_lines && process->command_line)
		add_text(writer, &labels[nr++], LABEL_COMMAND_LINE, process->command_line);
	nr += fill_cgroup(writer, process, &labels[nr]);
	nr += fill_wait(writer, sample->wait, &labels[nr]);
	if (slice >= 0)
		add_number(writer, &labels[nr++], LABEL_SLICE, slice);
	return nr;
}

static ProtobufCBinaryData pack_slices(struct pprof_writer *writer, const struct sample *sample)
{
	size_t nr_bytes = 0;

	for (size_t i = 0; i < writer->nr_slice_parts; i++)
		if (slice_parts__pack(&writer->slice_parts[i], i, sample, &writer->slices,
				      &nr_bytes, &writer->slices_capacity))
			fail(writer, -ENOMEM);
	return (ProtobufCBinaryData){nr_bytes, writer->slices};
}

static void write_sample(struct pprof_writer *writer, const struct sample *from, int64_t slice)
{
	Pprof__Label labels[MAX_LABELS], *label_pointers[MAX_LABELS];
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples = &sample;
	Pprof__Profile part = PPROF__PROFILE__INIT;

	for (size_t i = 0; i < MAX_LABELS; i++)
		label_pointers[i] = &labels[i];
	sample.n_location_id = fill_locations(writer, from->stack);
	sample.location_id = writer->location_ids;
	sample.n_value = pprof__fill_values(writer->recording, from, slice, writer->values);
	sample.value = writer->values;
	sample.n_squares = writer->labels ? 0
					  : pprof__fill_squares(writer->recording, from, slice,
								writer->squares);
	sample.squares = writer->squares;
	sample.n_label = fill_labels(writer, from, slice, labels);
	sample.label = label_pointers;
	sample.slices = pack_slices(writer, from);
	part.n_sample = 1;
	part.sample = &samples;
	emit(writer, &part);
}

static void write_samples(struct pprof_writer *writer, const struct recording *event, int64_t slice)
{
	const struct profile *profile = pprof__slice(event, slice);
	size_t nr_samples;
	const struct sample *samples = profile ? profile__samples(profile, &nr_samples) : NULL;

	if (!samples)
		return;
	for (size_t i = 0; i < nr_samples && !writer->code; i++)
		if (pprof__is_first(writer->recording, event, &samples[i], slice))
			write_sample(writer, &samples[i], slice);
}

/* slice: its number; -1: all samples. */
static void write_slice(struct pprof_writer *writer, int64_t slice)
{
	for (const struct recording *event = writer->recording; event; event = event->more)
		write_samples(writer, event, slice);
}

/* ---- fields of the profile itself ---- */

static void write_type(struct pprof_writer *writer, const struct metric *type)
{
	Pprof__ValueType value = PPROF__VALUE_TYPE__INIT, *types = &value;
	Pprof__Profile part = PPROF__PROFILE__INIT;

	if (!type->name)
		return;
	value.type_str = string_id(writer, type->name);
	value.unit_str = string_id(writer, type->unit);
	part.n_sample_type = 1;
	part.sample_type = &types;
	emit(writer, &part);
}

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

static void write_comment(struct pprof_writer *writer, const char *text)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	int64_t id = string_id(writer, text);

	part.n_comment_str = 1;
	part.comment_str = &id;
	emit(writer, &part);
}

static void write_comments(struct pprof_writer *writer)
{
	bool more = true;

	for (size_t i = 0; more && !writer->code; i++) {
		char *text = NULL;
		size_t nr_bytes = 0;
		FILE *out = open_memstream(&text, &nr_bytes);

		more = out && pprof__write_comment(out, writer->recording, i);
		if (!out || fclose(out))
			fail(writer, -ENOMEM);
		else if (nr_bytes)
			write_comment(writer, text);
		free(text);
	}
}

/* Writes the program's mapping first: tools take it for the main binary. */
static void write_program(struct pprof_writer *writer)
{
	const struct recording *event = writer->recording;
	const struct frame *frame = NULL;

	for (; event && !frame; event = event->more)
		frame = pprof__find_program(event->profile);
	if (frame)
		mapping_id(writer, frame);
}

static void write_types(struct pprof_writer *writer)
{
	for (const struct recording *event = writer->recording; event; event = event->more)
		for (int value = 0; value < VALUES; value++)
			write_type(writer, &profile__metrics(event->profile)->of[value]);
}

static void write_all(struct pprof_writer *writer)
{
	const size_t nr_slices = writer->slice_parts ? 0 : pprof__nr_slices(writer->recording);

	string_id(writer, ""); /* the format wants "" to be the first string */
	write_types(writer);
	write_program(writer);
	for (size_t i = 0; i < nr_slices; i++)
		write_slice(writer, (int64_t)i);
	if (!nr_slices)
		write_slice(writer, -1);
	write_circumstances(writer);
	if (!writer->labels)
		write_comments(writer);
}

/* True if some samples are in no slice: writing only the slices would lose them. */
static bool has_unsliced(const struct recording *event)
{
	for (; event; event = event->more)
		if (recording__nr_unsliced(event))
			return true;
	return false;
}

static void find_slices(struct pprof_writer *writer)
{
	const struct recording *event = writer->recording;

	writer->slice_parts = calloc(recording__nr_events(event) + 1, sizeof(*writer->slice_parts));
	if (!writer->slice_parts)
		fail(writer, -ENOMEM);
	for (; event && !writer->code; event = event->more)
		if (slice_parts__init(&writer->slice_parts[writer->nr_slice_parts++], event))
			fail(writer, -ENOMEM);
}

static void forget_slices(struct pprof_writer *writer)
{
	for (size_t i = 0; i < writer->nr_slice_parts; i++)
		slice_parts__fini(&writer->slice_parts[i]);
	free(writer->slice_parts);
	free(writer->slices);
}

int pprof__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	struct recording *events = pprof__order(recording);
	struct pprof_writer writer = {
		.recording = events,
		.shown = metrics__shown(profile__metrics(recording->profile)),
		.dictionary = profile__dictionary(recording->profile),
		.command_lines = options->command_lines,
		.labels = options->labels,
		.gzip = gzip__new(out),
		.strings = dictionary__new(),
		.ids_of_frames =
			calloc(dictionary__nr_frames(profile__dictionary(recording->profile)) + 1,
			       sizeof(uint64_t)),
		.values = calloc(VALUES * recording__nr_events(recording), sizeof(int64_t)),
		.squares = calloc(recording__nr_events(recording), sizeof(double)),
	};

	if (events && (options->packs_slices || has_unsliced(events)))
		find_slices(&writer);
	if (events && writer.gzip && writer.strings && writer.ids_of_frames && writer.values &&
	    writer.squares)
		write_all(&writer);
	else
		fail(&writer, -ENOMEM);
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
	forget_slices(&writer);
	free(events);
	return writer.code;
}
