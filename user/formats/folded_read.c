// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads folded text of any writer: frames from the root on, separated by semicolons, and a count
 * after the last blank. First frames that are names of programs become processes. Escapes of
 * folded.c are decoded; any other backslash is literal.
 *
 *	redis-server;main;do_syscall_64_[k] 169
 */

#include <math.h>

#include "formats/folded_text.h"
#include "formats/formats.h"
#include "profile/pool.h"

#define MAX_FRAMES  4096
#define CHECK_EVERY 65536 /* bytes */
#define MOST_SUM    9e18  /* below 2^63, the limit of pprof files */

/* Facts about a text that must be known before its lines are read. */
struct folded_facts {
	int decimals; /* of counts, up to METRIC_MOST_DECIMALS */
	/* Each line has two counts: difffolded.pl wrote the text. */
	bool has_two_columns;
	bool has_commands; /* first frames are names of programs, of up to 15 bytes */
};

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

/* reader->name has room for the text with each byte escaped. */
static uint32_t make_frame(struct reader *reader, struct folded_text text)
{
	struct frame frame = {.kind = FRAME_USER};
	size_t module_bytes;
	char *name, *at;

	/* A mark is no part of the name, as in "copy_page_[k]". */
	if (ends_with(text, "_[k]"))
		frame.kind = FRAME_KERNEL;
	else if (ends_with(text, "_[j]"))
		frame.kind = FRAME_JIT;
	else if (ends_with(text, "_[p]"))
		frame.kind = FRAME_INTERPRETED;
	else if (ends_with(text, "_[i]"))
		frame.inlined = true;
	if (frame.kind != FRAME_USER || frame.inlined)
		text.end -= 4;
	for (at = reader->name; text.at < text.end;) {
		const char byte = folded_text__take_byte(&text);

		if (byte)
			*at++ = byte;
		else
			at = stpcpy(at, TEXT_NUL);
	}
	*at = '\0';

	/* "libz.so.1@0x4970" is a module and the start of a function without a name. */
	name = reader->name;
	if (frame.kind == FRAME_USER && !frame.inlined &&
	    frame__parse_start(name, &module_bytes, &frame.address)) {
		name[module_bytes] = '\0';
		frame.module = name;
		frame.has_start = true;
	} else if (strcmp(name, "[unknown]") != 0) {
		frame.function = name;
		frame.root = frame__is_root_name(frame.kind, name);
	}
	return dictionary__add_frame(profile__dictionary(reader->recording->profile), &frame);
}

/*
 * Adds a stack, and a frame for each distinct word. Text has the root first, the dictionary the
 * leaf, so frames are taken from the end.
 */
static int add_stack(struct reader *reader, struct folded_text text, uint32_t *stack)
{
	struct dictionary *dictionary = profile__dictionary(reader->recording->profile);
	struct frame outermost;
	size_t nr_frames = 0;

	for (bool more = text.at < text.end; more;) {
		const char *semicolon = memrchr(text.at, ';', (size_t)(text.end - text.at));
		const char *begin = semicolon ? semicolon + 1 : text.at;
		const size_t nr_words = reader->words.nr_items;
		uint32_t word;

		if (nr_frames == MAX_FRAMES)
			return refuse(reader, "a stack has more than 4,096 frames");
		if (array__try_reserve(&reader->frames, &reader->nr_frames, nr_words + 1) ||
		    array__try_reserve(&reader->name, &reader->name_bytes,
				       strlen(TEXT_NUL) * (size_t)(text.end - begin) + 1))
			return memory__error(reader->err);
		word = pool__number(&reader->words, begin, (size_t)(text.end - begin));
		if (word == nr_words)
			reader->frames[word] =
				make_frame(reader, (struct folded_text){begin, text.end});
		reader->stack[nr_frames++] = reader->frames[word];
		text.end = semicolon;
		more = semicolon;
	}
	if (nr_frames) { /* the outermost frame cannot be inlined */
		outermost = *dictionary__frame(dictionary, reader->stack[nr_frames - 1]);
		if (outermost.inlined) {
			outermost.inlined = false;
			reader->stack[nr_frames - 1] =
				dictionary__add_kept_frame(dictionary, &outermost);
		}
	}
	*stack = dictionary__add_stack(dictionary, reader->stack, nr_frames);
	return 0;
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
	struct profile *profile = reader->recording->profile;
	struct process process = {0};
	struct sample sample = {0};
	struct folded_text name;
	size_t held;
	int code;

	if (folded_text__says_nothing(line))
		return 0;
	code = take_count(reader, &line, &sample.values[reader->value]);
	if (code)
		return code;
	if (reader->facts.has_commands) { /* the first frame is a program: "redis-server" */
		name = folded_text__take_frame(&line);
		for (size_t i = 0; name.at < name.end; i++)
			process.comm[i] = folded_text__take_byte(&name);
	}
	sample.process = dictionary__add_process(profile__dictionary(profile), &process);
	code = add_stack(reader, line, &sample.stack);
	if (!code && line.end >= reader->check_at) {
		held = reader->nr_bytes + pool__memory_bytes(&reader->words) +
		       reader->nr_frames * sizeof(*reader->frames) + reader->name_bytes;
		reader->check_at = line.end + CHECK_EVERY;
		code = formats__check_memory(reader->recording, held, reader->options, reader->err);
	}
	if (!code)
		profile__add(profile, &sample);
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

/*
 * ---- facts about the whole text ----
 *
 * Counts with fractions are kept as whole numbers of the smallest decimal unit of the text, so that
 * sums are exact; a larger unit is taken if the sum would overflow.
 *
 * First frames are names of programs if a root such as _start follows: no function calls one. If a
 * stack begins with a root itself, the text has no names of programs.
 */

static bool is_root(struct folded_text frame)
{
	char name[64];
	const size_t length = (size_t)(frame.end - frame.at);
	const bool is_kernel = length > 4 && !memcmp(frame.end - 4, "_[k]", 4);
	const size_t nr_bytes = length - 4 * is_kernel;

	if (nr_bytes >= sizeof(name))
		return false;
	memcpy(name, frame.at, nr_bytes);
	name[nr_bytes] = '\0';
	return frame__is_root_name(is_kernel ? FRAME_KERNEL : FRAME_USER, name);
}

/* True if a first frame may be a program's name. Names with a mark are of functions. */
static bool may_be_command(struct folded_text frame)
{
	const ptrdiff_t length = frame.end - frame.at;
	size_t nr_bytes = 0;

	if (length < 1 || is_root(frame) || (length == 9 && !memcmp(frame.at, "[unknown]", 9)) ||
	    (length > 4 && frame.end[-1] == ']' && !memcmp(frame.end - 4, "_[", 2)))
		return false;
	for (; frame.at < frame.end && nr_bytes < PROCESS_COMM_SIZE; nr_bytes++)
		if (!folded_text__take_byte(&frame)) /* no command has a NUL */
			return false;
	return nr_bytes < PROCESS_COMM_SIZE;
}

/* Adds to the sum of a column, and to its decimals if this count has more. */
static void add_count(const struct folded_count *count, double *sum, int *decimals)
{
	*sum += (double)count->digits * pow(10, -count->decimals);
	if (count->decimals > *decimals)
		*decimals = count->decimals;
}

/* Scans the text for these facts, in linear time. */
static struct folded_facts learn_facts(struct folded_text text)
{
	struct folded_facts facts = {.has_two_columns = true};
	bool calls_roots = false;  /* a root follows some first frame */
	bool begins_roots = false; /* some first frame is a root, or no name of a program */
	double sums[2] = {0}, sum; /* of the last column, and of the one before */
	int decimals[2] = {0};
	size_t nr_lines = 0;

	while (text.at < text.end) {
		struct folded_text line = folded_text__next_line(&text), first;
		struct folded_count count;

		if (folded_text__says_nothing(line) ||
		    folded_text__take_count(&line, &count) != FOLDED_COUNT)
			continue;
		nr_lines++;
		add_count(&count, &sums[0], &decimals[0]);
		facts.has_two_columns = facts.has_two_columns &&
					folded_text__take_count(&line, &count) == FOLDED_COUNT;
		if (facts.has_two_columns)
			add_count(&count, &sums[1], &decimals[1]);

		first = folded_text__take_frame(&line);
		if (!may_be_command(first))
			begins_roots = true;
		else if (line.at < line.end && is_root(folded_text__take_frame(&line)))
			calls_roots = true;
	}
	facts.has_two_columns &= nr_lines > 0;
	facts.has_commands = calls_roots && !begins_roots;

	/* Both columns of a difference have the same unit. */
	sum = facts.has_two_columns ? fmax(sums[0], sums[1]) : sums[0];
	facts.decimals = decimals[facts.has_two_columns && decimals[1] > decimals[0]];
	if (facts.decimals > METRIC_MOST_DECIMALS)
		facts.decimals = METRIC_MOST_DECIMALS;
	while (facts.decimals && sum * pow(10, facts.decimals) > MOST_SUM)
		facts.decimals--;
	return facts;
}

/* ---- the whole ---- */

/* Fractions are weights, as they cannot be counts of events. */
int folded__read(struct recording *recording, const char *bytes, size_t nr_bytes,
		 const struct read_options *options, struct error *err)
{
	const char *wanted = options->sample_type;
	struct reader *reader = xcalloc(1, sizeof(*reader));
	struct folded_text rest = {bytes, bytes + nr_bytes};
	struct metrics metrics = {0};
	struct quoted quoted;
	char unit[METRIC_UNIT_SIZE];
	int code = 0;

	*reader = (struct reader){.recording = recording,
				  .options = options,
				  .err = err,
				  .facts = learn_facts(rest),
				  .nr_bytes = nr_bytes,
				  .check_at = bytes};
	reader->value = reader->facts.decimals ? VALUE_WEIGHT : VALUE_COUNT;
	recording->is_difference = reader->facts.has_two_columns;
	metrics.shown = reader->value;
	metrics.of[reader->value] = metric__named(
		metric__samples.name,
		metric__decimal_unit(metric__samples.unit, reader->facts.decimals, unit));
	profile__set_metrics(recording->profile, &metrics);
	if (wanted && strcmp(wanted, metric__samples.name))
		code = error__say(err, EXIT_USAGE, -EINVAL,
				  "no sample type %s, folded text has %s only",
				  quote(&quoted, wanted), metric__samples.name);
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
