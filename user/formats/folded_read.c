// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded text by whoever wrote it: frames from the root on, separated by semicolons, and a count
 * after the last space. Nobody can tell a program's name from a function's, so the first name is a
 * frame like the others. Escapes of folded.c are decoded; any other backslash stands for itself.
 *
 *	redis-server;main;do_syscall_64_[k] 169
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/numbers.h"
#include "base/quote.h"
#include "formats/formats.h"
#include "profile/pool.h"

#define MAX_FRAMES  4096
#define CHECK_EVERY 65536 /* bytes */

struct reader {
	struct recording *recording;
	const struct read_options *options;
	struct error *err;
	uint32_t process;
	size_t line_number;
	size_t nr_bytes;      /* of the text */
	const char *check_at; /* memory is looked at when a line goes beyond */
	uint32_t stack[MAX_FRAMES];
	struct pool words; /* what stands between two semicolons, as it is in the text */
	uint32_t *frames;  /* ids, by word */
	size_t nr_frames;
	char *name; /* room for one */
	size_t name_bytes;
};

struct folded_text {
	const char *at, *end;
};

static int refuse(struct reader *reader, const char *what)
{
	return error__say(reader->err, EXIT_USAGE, -EINVAL, "line %zu: %s", reader->line_number,
			  what);
}

/* One byte of a name, unescaped. */
static char take_byte(struct folded_text *text)
{
	const char *at = text->at++;

	if (*at != '\\' || text->end - at < 2)
		return *at;
	if (at[1] == '\\') {
		text->at = at + 2;
		return '\\';
	}
	if (text->end - at < 4 || at[1] != 'x' || hex_digit(at[2]) < 0 || hex_digit(at[3]) < 0)
		return '\\';
	if (!hex_digit(at[2]) && !hex_digit(at[3]))
		return '\\'; /* a name cannot have a NUL */
	text->at = at + 4;
	return (char)(hex_digit(at[2]) << 4 | hex_digit(at[3]));
}

static bool ends_with(struct folded_text text, const char *suffix)
{
	size_t length = strlen(suffix);

	return (size_t)(text.end - text.at) >= length && !memcmp(text.end - length, suffix, length);
}

/* "copy_page_[k]": takes the mark off and does what it means. */
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

/* "libz.so.1@0x4970" is no name, but a module and where a function begins. */
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

static int make_frame(struct reader *reader, struct folded_text text, uint32_t *id)
{
	struct frame frame = {.kind = FRAME_USER};
	size_t length = 0, wanted = (size_t)(text.end - text.at) + 1;

	take_mark(&text, &frame);
	if (array__reserve(&reader->name, &reader->name_bytes, wanted))
		return error__no_memory(reader->err);
	while (text.at < text.end)
		reader->name[length++] = take_byte(&text);
	reader->name[length] = '\0';
	take_name(reader->name, &frame);
	*id = dictionary__add_frame(profile__dictionary(reader->recording->profile), &frame);
	return *id == ID_NONE ? error__no_memory(reader->err) : 0;
}

/* Each word is unescaped once. */
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

/* Frames are written from the root and kept from the leaf, so they are taken from the end. */
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
	if (code)
		return code;
	*stack = dictionary__add_stack(profile__dictionary(reader->recording->profile),
				       reader->stack, nr_frames);
	return *stack == ID_NONE ? error__no_memory(reader->err) : 0;
}

/* " 169" at the end, fractions cut off; takes it off. False: there is none. */
static bool take_count(struct folded_text *text, uint64_t *count)
{
	const char *space = memrchr(text->at, ' ', (size_t)(text->end - text->at));
	const char *at = space ? space + 1 : text->at;
	bool overflow = false;

	*count = 0;
	if (at == text->end || !isdigit((unsigned char)*at))
		return false;
	for (; at < text->end && isdigit((unsigned char)*at); at++)
		overflow |= __builtin_mul_overflow(*count, 10U, count) ||
			    __builtin_add_overflow(*count, (unsigned int)(*at - '0'), count);
	if (at < text->end && *at == '.')
		for (at++; at < text->end && isdigit((unsigned char)*at); at++)
			;
	if (at < text->end || overflow || !space)
		return false;
	text->end = space;
	return true;
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

static int take_line(struct reader *reader, struct folded_text line)
{
	struct sample sample = {.process = reader->process};
	int code = 0;

	if (line.at < line.end && line.end[-1] == '\r')
		line.end--;
	if (line.at == line.end || *line.at == '#')
		return 0;
	if (memchr(line.at, '\0', (size_t)(line.end - line.at)))
		return refuse(reader, "a NUL, which no name has");
	if (!take_count(&line, &sample.values[VALUE_COUNT]))
		return refuse(reader, "no count, from 0 to 2^64 - 1, after the last space");
	code = add_stack(reader, line, &sample.stack);
	if (!code)
		code = check_memory(reader, &line);
	if (!code && profile__add(reader->recording->profile, &sample))
		code = error__no_memory(reader->err);
	return code;
}

static struct folded_text next_line(struct folded_text *rest)
{
	const char *newline = memchr(rest->at, '\n', (size_t)(rest->end - rest->at));
	struct folded_text line = {rest->at, newline ? newline : rest->end};

	rest->at = newline ? newline + 1 : rest->end;
	return line;
}

/* The first line that says anything is printable and ends in a number. */
bool folded__sniff(const char *bytes, size_t nr_bytes)
{
	struct folded_text rest = {bytes, bytes + nr_bytes};

	while (rest.at < rest.end) {
		struct folded_text line = next_line(&rest);
		uint64_t count;

		for (const char *at = line.at; at < line.end; at++)
			if ((unsigned char)*at < ' ' && *at != '\t' && *at != '\r')
				return false;
		if (line.at < line.end && line.end[-1] == '\r')
			line.end--;
		if (line.at < line.end && *line.at != '#')
			return take_count(&line, &count);
	}
	return false;
}

static int set_types(struct reader *reader)
{
	const struct metrics metrics = {.of = {[VALUE_COUNT] = metric__samples}};
	const char *wanted = reader->options->sample_type;
	struct quoted quoted;

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
	static const struct process nobody;
	struct reader *reader = calloc(1, sizeof(*reader));
	struct folded_text rest = {bytes, bytes + nr_bytes};
	int code;

	if (!reader)
		return error__no_memory(err);
	*reader = (struct reader){.recording = recording,
				  .options = options,
				  .err = err,
				  .nr_bytes = nr_bytes,
				  .check_at = bytes};
	reader->process = dictionary__add_process(profile__dictionary(recording->profile), &nobody);
	code = reader->process == ID_NONE ? error__no_memory(err) : set_types(reader);
	while (!code && rest.at < rest.end) {
		reader->line_number++;
		code = take_line(reader, next_line(&rest));
	}
	pool__clear(&reader->words);
	free(reader->frames);
	free(reader->name);
	free(reader);
	return code;
}
