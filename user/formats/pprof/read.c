// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads pprof profiles of any writer. Dangling references and endless lists are errors. The file is
 * walked over several times: for strings and the profile's own fields, for mappings and functions,
 * for locations, and for samples. So parts may be in any order.
 */

#include "formats/pprof/reader.h"

#define MAX_COMMENTS (1 << 19)
#define CHECK_EVERY  4096 /* strings, frames and the like */

int pprof_reader__refuse(struct pprof_reader *reader, const char *what)
{
	return error__say(reader->err, EXIT_USAGE, -EINVAL, "it is damaged: %s", what);
}

int pprof_reader__count(struct pprof_reader *reader, size_t nr)
{
	size_t held_bytes;

	reader->nr_unchecked += nr;
	if (reader->nr_unchecked < CHECK_EVERY)
		return 0;
	reader->nr_unchecked = 0;
	held_bytes = reader->nr_bytes + reader->tables_bytes +
		     reader->head.comments_capacity * sizeof(*reader->head.comments) +
		     reader->string_capacity * sizeof(*reader->strings) +
		     reader->nr_strings * sizeof(*reader->kept) +
		     reader->in_order_capacity * sizeof(*reader->in_order) +
		     map__memory_bytes(&reader->mappings) + map__memory_bytes(&reader->functions) +
		     map__memory_bytes(&reader->locations);
	return formats__check_memory(reader->recording, held_bytes, reader->options, reader->err);
}

/* A callback for the fields of one walk. */
typedef int take_part(struct pprof_reader *reader, const struct wire_field *field);

static int walk(struct pprof_reader *reader, take_part *take)
{
	struct wire wire = {(const uint8_t *)reader->bytes,
			    (const uint8_t *)reader->bytes + reader->nr_bytes};
	struct wire_field field;
	int more, code = 0;

	while (!code && (more = wire__next(&wire, &field)) != 0) {
		if (more < 0)
			return pprof_reader__refuse(reader, "it is cut off, or no profile at all");
		if (field.number >= PROFILE_SAMPLE && field.number <= PROFILE_STRING &&
		    field.type != WIRE_BYTES)
			return pprof_reader__refuse(reader, "a part is of the wrong type");
		code = take(reader, &field);
	}
	return code;
}

static int refuse_head(struct pprof_reader *reader)
{
	return pprof_reader__refuse(reader, "its general fields cannot be decoded");
}

static int take_comments(struct pprof_reader *reader, const struct wire_field *field)
{
	struct pprof_head *head = &reader->head;
	struct wire numbers = wire__inside(field);

	if (!wire__has_numbers(field))
		return refuse_head(reader);
	while (numbers.at < numbers.end) {
		if (head->nr_comments == MAX_COMMENTS)
			return pprof_reader__refuse(reader, "its comments have no end");
		if (array__try_reserve(&head->comments, &head->comments_capacity,
				       head->nr_comments + 1))
			return memory__error(reader->err);
		if (wire__varint(&numbers, &head->comments[head->nr_comments++]))
			return refuse_head(reader);
	}
	return 0;
}

static int take_head(struct pprof_reader *reader, const struct wire_field *field)
{
	struct pprof_head *head = &reader->head;
	int code;

	switch (field->number) {
	case PROFILE_SAMPLE_TYPE:
		if (head->nr_types == MAX_TYPES)
			return pprof_reader__refuse(reader, "it has too many sample types");
		code = wire__numbers(field, head->types[head->nr_types++], TYPE_LAST);
		break;
	case PROFILE_STRING:
		return pprof_reader__add_string(reader, field);
	case PROFILE_COMMENT:
		return take_comments(reader, field);
	case PROFILE_PERIOD_TYPE:
		code = wire__numbers(field, head->period_type, TYPE_LAST);
		break;
	case PROFILE_DROP_FRAMES:
	case PROFILE_KEEP_FRAMES:
	case PROFILE_TIME:
	case PROFILE_DURATION:
	case PROFILE_PERIOD:
	case PROFILE_DEFAULT_TYPE:
		code = wire__number(field, &head->numbers[field->number]);
		break;
	default:
		return 0;
	}
	return code ? refuse_head(reader) : 0;
}

static void set_metrics(const struct metric *types, const struct pprof_event *event,
			enum value shown, bool is_chosen)
{
	struct metrics metrics = {.shown = shown, .is_chosen = is_chosen};

	for (int value = 0; value < VALUES; value++)
		if (event->index[value] != NO_TYPE)
			metrics.of[value] = types[event->index[value]];
	profile__set_metrics(event->recording->profile, &metrics);
}

/*
 * Chooses types in a file of another tool, or of one event of ours; notes the names of the others.
 */
static int choose_types(struct pprof_reader *reader, const struct metric *types, size_t nr_types,
			const char *preferred)
{
	const char *wanted = reader->options->sample_type;
	const char *only_event = reader->recording->facts[FACT_EVENT];
	struct pprof_event *event = &reader->events[0];
	struct type_choice choice;
	bool is_type = false;
	char *names;
	size_t nr_bytes;
	FILE *out;
	int code;

	/* The name of the only event, if no type has it, means the value that the event shows. */
	for (size_t i = 0; i < nr_types && wanted; i++)
		is_type |= types__is_called(&types[i], wanted);
	if (wanted && !is_type && only_event && !strcmp(only_event, wanted))
		wanted = NULL;
	code = types__choose(types, nr_types, wanted, preferred, &choice, reader->err);
	if (code)
		return code;
	recording__drop_others(reader->recording);
	reader->nr_events = 1;
	event->recording = reader->shown = reader->recording;
	memcpy(event->index, choice.index, sizeof(choice.index));
	set_metrics(types, event, choice.shown, choice.is_chosen);

	out = xmemstream(&names, &nr_bytes);
	for (size_t i = 0; i < nr_types; i++)
		if (i != choice.index[VALUE_COUNT] && i != choice.index[VALUE_WEIGHT])
			fprintf(out, "%s%s", ftell(out) > 0 ? ", " : "", types[i].name);
	code = fclose(out) ? memory__error(reader->err) : 0;
	if (!code && *names)
		reader->recording->left_out = recording__keep(reader->recording, names);
	free(names);
	return code;
}

/* Chooses values by the events in comments, or by the names of types. */
static int choose_values(struct pprof_reader *reader, const struct metric *types, size_t nr_types,
			 const char *preferred)
{
	struct type_pair pairs[MAX_TYPES / VALUES + 1];
	const size_t most = sizeof(pairs) / sizeof(pairs[0]);
	struct recording *event = reader->recording;
	size_t nr_pairs = 0, chosen;
	int code;

	for (; event && nr_pairs < most; event = event->more)
		pairs[nr_pairs++] =
			(struct type_pair){.event = event->facts[FACT_EVENT],
					   .shown = profile__metrics(event->profile)->shown};
	if (event || !types__are_pairs(types, nr_types, pairs, nr_pairs))
		return choose_types(reader, types, nr_types, preferred);
	code = types__choose_pair(types, pairs, nr_pairs, reader->options->sample_type, preferred,
				  &chosen, reader->err);
	event = reader->recording;
	for (size_t i = 0; i < nr_pairs && !code; i++, event = event->more) {
		reader->events[i] = (struct pprof_event){
			.recording = event,
			.index = {VALUES * i + VALUE_COUNT, VALUES * i + VALUE_WEIGHT}};
		set_metrics(types, &reader->events[i], pairs[i].shown, pairs[i].is_chosen);
		if (i == chosen)
			reader->shown = event;
	}
	reader->nr_events = nr_pairs;
	return code;
}

static int read_types(struct pprof_reader *reader)
{
	const struct pprof_head *head = &reader->head;
	struct metric types[MAX_TYPES] = {0};
	const char *preferred, *name, *unit;
	int code = 0;

	for (size_t i = 0; i < head->nr_types && !code; i++) {
		code = pprof_reader__string(reader, head->types[i][TYPE_NAME], &name);
		if (!code)
			code = pprof_reader__string(reader, head->types[i][TYPE_UNIT], &unit);
		if (!code)
			types[i] = metric__named(name ? name : "", unit ? unit : "");
	}
	if (!code)
		code = pprof_reader__string(reader, head->numbers[PROFILE_DEFAULT_TYPE],
					    &preferred);
	return code ? code
		    : choose_values(reader, types, head->nr_types, preferred ? preferred : "");
}

/* Converts the period to the unit of the weight; it becomes 0 if it is of another kind. */
static int read_period_type(struct pprof_reader *reader)
{
	uint64_t *period = &reader->recording->period, factor, divisor;
	const struct metric *weight =
		&profile__metrics(reader->recording->profile)->of[VALUE_WEIGHT];
	const char *unit;
	const int code = pprof_reader__string(reader, reader->head.period_type[TYPE_UNIT], &unit);

	if (code || !unit || !weight->name || !strcmp(unit, weight->unit))
		return code;
	factor = metric__units_in(unit, weight->unit);
	divisor = metric__units_in(weight->unit, unit);
	if (factor)
		*period = *period <= UINT64_MAX / factor ? *period * factor : 0;
	else
		*period = divisor ? *period / divisor : 0;
	return 0;
}

/* The difference of two profiles may have a negative time; it counts as not known. */
static uint64_t unless_negative(uint64_t number)
{
	return number > INT64_MAX ? 0 : number;
}

static int read_head(struct pprof_reader *reader)
{
	const uint64_t *numbers = reader->head.numbers;
	struct recording *recording = reader->recording;
	const char *comment;
	int code = walk(reader, take_head);

	if (code)
		return code;
	reader->kept = calloc(reader->nr_strings + 1, sizeof(char *));
	if (!reader->kept)
		return memory__error(reader->err);
	recording->start_realtime_ns = (int64_t)unless_negative(numbers[PROFILE_TIME]);
	recording->duration_ns = unless_negative(numbers[PROFILE_DURATION]);
	recording->period = unless_negative(numbers[PROFILE_PERIOD]);
	for (size_t i = 0; i < reader->head.nr_comments && !code; i++) {
		code = pprof_reader__string(reader, reader->head.comments[i], &comment);
		if (!code && comment)
			pprof__take_comment(recording, comment);
	}
	pprof__share_comments(recording);

	/* Expressions of frames; their invalid string numbers are ignored. */
	if (!code && numbers[PROFILE_DROP_FRAMES] < reader->nr_strings)
		code = pprof_reader__string(reader, numbers[PROFILE_DROP_FRAMES],
					    &recording->drop_frames);
	if (!code && numbers[PROFILE_KEEP_FRAMES] < reader->nr_strings)
		code = pprof_reader__string(reader, numbers[PROFILE_KEEP_FRAMES],
					    &recording->keep_frames);
	if (!code)
		code = read_types(reader);
	return code ? code : read_period_type(reader);
}

/* ---- the whole ---- */

bool pprof__sniff(const char *bytes, size_t nr_bytes)
{
	struct wire wire = {(const uint8_t *)bytes, (const uint8_t *)bytes + nr_bytes};
	struct wire_field field;

	return wire__next(&wire, &field) == 1 && field.number < PROFILE_LAST &&
	       (field.type == WIRE_VARINT || field.type == WIRE_BYTES) &&
	       (field.type == WIRE_BYTES) == (field.number <= 6 || field.number == 11 ||
					      (field.number == 13 && field.type == WIRE_BYTES));
}

int pprof__read(struct recording *recording, const char *bytes, size_t nr_bytes,
		const struct read_options *options, struct error *err)
{
	struct pprof_reader *reader = xcalloc(1, sizeof(*reader));
	int code;

	*reader = (struct pprof_reader){.recording = recording,
					.options = options,
					.err = err,
					.bytes = bytes,
					.nr_bytes = nr_bytes,
					.process_id = ID_NONE};
	pprof_reader__init_tables(reader);
	code = read_head(reader);
	if (!code)
		code = walk(reader, pprof_reader__take_table);
	if (!code)
		code = walk(reader, pprof_reader__take_location);
	if (!code)
		code = walk(reader, pprof_reader__take_sample);
	if (!code)
		recording__show_event(recording, reader->shown);
	pprof_reader__clear_tables(reader);
	free(reader->strings);
	free(reader->kept);
	free(reader->head.comments);
	free(reader);
	return code;
}
