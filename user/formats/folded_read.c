// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads folded text of any writer: frames from the root on, separated by semicolons, and a count
 * after the last blank. First frames that are names of programs become processes. Escapes of
 * folded.c are decoded; any other backslash is literal.
 *
 *	redis-server;main;do_syscall_64_[k] 169
 */

#include "formats/folded_text.h"
#include "formats/formats.h"
#include "profile/pool.h"

#define MAX_FRAMES  4096
#define CHECK_EVERY 65536 /* bytes */

struct reader {
	struct recording *recording;
	const struct read_options *options;
	struct error *err;
	struct folded_facts facts;
	enum value value; /* value of the counts */
	uint64_t sum;
	size_t line_number;
	size_t nr_bytes;      /* of the text */
	const char *check_at; /* memory is checked when a line ends beyond this */
	uint32_t stack[MAX_FRAMES];
	struct pool words; /* frames as written in the text */
	uint32_t *frames;  /* frame ids, by word */
	size_t nr_frames;
	char *name; /* buffer */
	size_t name_bytes;
};

static int refuse(struct reader *reader, const char *what)
{
	return error__say(reader->err, EXIT_USAGE, -EINVAL, "line %zu: %s", reader->line_number,
			  what);
}

static bool ends_with(struct folded_text text, const char *suffix)
{
	size_t length = strlen(suffix);

	return (size_t)(text.end - text.at) >= length && !memcmp(text.end - length, suffix, length);
}

/* Takes a mark off the name, as in "copy_page_[k]", and sets the frame's kind. */
static void take_mark(struct folded_text *text, struct frame *frame)
{
	if (ends_with(*text, "_[k]"))
		frame->kind = FRAME_KERNEL;
	else if (ends_with(*text, "_[j]"))
		frame->kind = FRAME_JIT;
	else if (ends_with(*text, "_[p]"))
		frame->kind = FRAME_INTERPRETED;
	else if (ends_with(*text, "_[i]"))
		frame->inlined = true;
	if (frame->kind != FRAME_USER || frame->inlined)
		text->end -= 4;
}

/*
 * Sets the frame's function; "libz.so.1@0x4970" is a module and the start of a function without a
 * name.
 */
static void take_name(char *name, struct frame *frame)
{
	size_t module_bytes;

	if (frame->kind == FRAME_USER && !frame->inlined &&
	    frame__parse_start(name, &module_bytes, &frame->address)) {
		name[module_bytes] = '\0';
		frame->module = name;
		frame->has_start = true;
	} else if (strcmp(name, "[unknown]") != 0) {
		frame->function = name;
		frame->root = frame__is_root_name(frame->kind, name);
	}
}

static char *append_byte(char *at, char byte)
{
	if (!byte)
		return stpcpy(at, TEXT_NUL);
	*at = byte;
	return at + 1;
}

static int make_frame(struct reader *reader, struct folded_text text, uint32_t *id)
{
	struct frame frame = {.kind = FRAME_USER};
	char *at;

	take_mark(&text, &frame);
	if (array__reserve(&reader->name, &reader->name_bytes,
			   strlen(TEXT_NUL) * (size_t)(text.end - text.at) + 1))
		return error__no_memory(reader->err);
	for (at = reader->name; text.at < text.end;)
		at = append_byte(at, folded_text__take_byte(&text));
	*at = '\0';
	take_name(reader->name, &frame);
	*id = dictionary__add_frame(profile__dictionary(reader->recording->profile), &frame);
	return *id == ID_NONE ? error__no_memory(reader->err) : 0;
}

/* Makes a frame for each distinct word once. */
static int add_frame(struct reader *reader, struct folded_text text, uint32_t *id)
{
	size_t nr_words = reader->words.nr_items;
	uint32_t word;
	int code;

	word = array__reserve(&reader->frames, &reader->nr_frames, nr_words + 1)
		       ? ID_NONE
		       : pool__number(&reader->words, text.at, (size_t)(text.end - text.at));
	if (word == ID_NONE)
		return error__no_memory(reader->err);
	if (word == nr_words) {
		code = make_frame(reader, text, &reader->frames[word]);
		if (code)
			return code;
	}
	*id = reader->frames[word];
	return 0;
}

/* The outermost frame cannot be inlined: clears the flag. */
static int let_stand(struct reader *reader, uint32_t *id)
{
	struct dictionary *dictionary = profile__dictionary(reader->recording->profile);
	struct frame frame = *dictionary__frame(dictionary, *id);

	if (!frame.inlined)
		return 0;
	frame.inlined = false;
	*id = dictionary__add_kept_frame(dictionary, &frame);
	return *id == ID_NONE ? error__no_memory(reader->err) : 0;
}

/*
 * Adds a stack. Text has the root first, the dictionary the leaf, so frames are taken from the end.
 */
static int add_stack(struct reader *reader, struct folded_text text, uint32_t *stack)
{
	size_t nr_frames = 0;
	int code = 0;

	for (bool more = text.at < text.end; more && !code;) {
		const char *semicolon = memrchr(text.at, ';', (size_t)(text.end - text.at));
		const char *begin = semicolon ? semicolon + 1 : text.at;

		if (nr_frames == MAX_FRAMES)
			return refuse(reader, "a stack has more than 4,096 frames");
		code = add_frame(reader, (struct folded_text){begin, text.end},
				 &reader->stack[nr_frames++]);
		text.end = semicolon;
		more = semicolon;
	}
	if (!code && nr_frames)
		code = let_stand(reader, &reader->stack[nr_frames - 1]);
	if (code)
		return code;
	*stack = dictionary__add_stack(profile__dictionary(reader->recording->profile),
				       reader->stack, nr_frames);
	return *stack == ID_NONE ? error__no_memory(reader->err) : 0;
}

/* Takes the process off the stack, if first frames are names of programs: "redis-server". */
static int take_process(struct reader *reader, struct folded_text *stack, uint32_t *id)
{
	struct process process = {0};
	struct folded_text name;

	if (reader->facts.has_commands) {
		name = folded_text__take_frame(stack);
		for (size_t i = 0; name.at < name.end; i++)
			process.comm[i] = folded_text__take_byte(&name);
	}
	*id = dictionary__add_process(profile__dictionary(reader->recording->profile), &process);
	return *id == ID_NONE ? error__no_memory(reader->err) : 0;
}

static int check_memory(struct reader *reader, const struct folded_text *line)
{
	const size_t held = reader->nr_bytes + pool__memory_bytes(&reader->words) +
			    reader->nr_frames * sizeof(*reader->frames) + reader->name_bytes;

	if (line->end < reader->check_at)
		return 0;
	reader->check_at = line->end + CHECK_EVERY;
	return formats__check_memory(reader->recording, held, reader->options, reader->err);
}

/* Reads the count; of a difference the column that the options ask for. */
static int take_count(struct reader *reader, struct folded_text *line, uint64_t *value)
{
	struct folded_count count, first;

	switch (folded_text__take_count(line, &count)) {
	case FOLDED_COUNT:
		break;
	case FOLDED_NEGATIVE:
		return refuse(reader, "its count is below 0, which no profile has");
	case FOLDED_TOO_LARGE:
		return refuse(reader, "its count is above 2^64 - 1");
	case FOLDED_NO_NUMBER:
		return refuse(reader, "no count, from 0 to 2^64 - 1, after the last space");
	}
	if (reader->facts.has_two_columns) {
		folded_text__take_count(line, &first);
		if (reader->options->takes_base)
			count = first;
	}
	if (!folded_count__scale(&count, reader->facts.decimals, value))
		return refuse(reader, "its count is above 2^64 - 1");
	if (count.digits && !*value && reader->facts.decimals == METRIC_MOST_DECIMALS)
		return refuse(reader, "its count is below 10^-18");
	if (__builtin_add_overflow(reader->sum, *value, &reader->sum))
		return refuse(reader, "counts up to here are more than 2^64 - 1 together");
	return 0;
}

static int take_line(struct reader *reader, struct folded_text line)
{
	struct sample sample = {0};
	int code;

	if (folded_text__says_nothing(line))
		return 0;
	code = take_count(reader, &line, &sample.values[reader->value]);
	if (!code)
		code = take_process(reader, &line, &sample.process);
	if (!code)
		code = add_stack(reader, line, &sample.stack);
	if (!code)
		code = check_memory(reader, &line);
	if (!code && profile__add(reader->recording->profile, &sample))
		code = error__no_memory(reader->err);
	return code;
}

/* True if no byte is a control character of binary files; any encoding is fine. */
static bool is_text(struct folded_text line)
{
	for (; line.at < line.end; line.at++)
		if ((unsigned char)*line.at < ' ' && *line.at && *line.at != '\t')
			return false;
	return true;
}

/* The format is recognized by the first line that is not a comment: its last word is a number. */
bool folded__sniff(const char *bytes, size_t nr_bytes)
{
	struct folded_text rest = {bytes, bytes + nr_bytes};
	struct folded_count count;

	while (rest.at < rest.end) {
		struct folded_text line = folded_text__next_line(&rest);

		if (!is_text(line))
			return false;
		if (!folded_text__says_nothing(line))
			return folded_text__take_count(&line, &count) != FOLDED_NO_NUMBER;
	}
	return false;
}

#define LOOKED_AT 65536 /* bytes */

/* True if some line has frames and a count: then the reader reports errors in other lines. */
bool folded__is_meant(const char *bytes, size_t nr_bytes)
{
	struct folded_text rest = {bytes, bytes + (nr_bytes < LOOKED_AT ? nr_bytes : LOOKED_AT)};
	struct folded_count count;

	while (rest.at < rest.end) {
		struct folded_text line = folded_text__next_line(&rest);

		if (!is_text(line))
			return false;
		if (memchr(line.at, ';', (size_t)(line.end - line.at)) &&
		    folded_text__take_count(&line, &count) == FOLDED_COUNT)
			return true;
	}
	return false;
}

/* Sets the metric. Fractions are weights, as they cannot be counts of events. */
static int set_types(struct reader *reader)
{
	const char *wanted = reader->options->sample_type;
	struct metrics metrics = {.shown = reader->value};
	struct quoted quoted;
	char unit[METRIC_UNIT_SIZE];

	metrics.of[reader->value] = metric__named(
		metric__samples.name,
		metric__decimal_unit(metric__samples.unit, reader->facts.decimals, unit));
	if (wanted && strcmp(wanted, metric__samples.name))
		return error__say(reader->err, EXIT_USAGE, -EINVAL,
				  "no sample type %s, folded text has %s only",
				  quote(&quoted, wanted), metric__samples.name);
	return profile__set_metrics(reader->recording->profile, &metrics)
		       ? error__no_memory(reader->err)
		       : 0;
}

int folded__read(struct recording *recording, const char *bytes, size_t nr_bytes,
		 const struct read_options *options, struct error *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	struct folded_text rest = {bytes, bytes + nr_bytes};
	int code;

	if (!reader)
		return error__no_memory(err);
	*reader = (struct reader){.recording = recording,
				  .options = options,
				  .err = err,
				  .facts = folded_text__learn(rest),
				  .nr_bytes = nr_bytes,
				  .check_at = bytes};
	reader->value = reader->facts.decimals ? VALUE_WEIGHT : VALUE_COUNT;
	recording->is_difference = reader->facts.has_two_columns;
	code = set_types(reader);
	while (!code && rest.at < rest.end) {
		reader->line_number++;
		code = take_line(reader, folded_text__next_line(&rest));
	}
	pool__clear(&reader->words);
	free(reader->frames);
	free(reader->name);
	free(reader);
	return code;
}
