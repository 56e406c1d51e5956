// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks: a line for each named stack, root first, for flamegraph.pl and all tools that read
 * its input.
 *
 *	redis-server;main;aeMain;aeProcessEvents;do_syscall_64_[k] 169
 *
 * Escapes keep all bytes of names; docs/formats.md describes them.
 */

#include "base/escape.h"
#include "formats/folded_text.h"
#include "formats/formats.h"
#include "formats/frame_texts.h"

static const char *const kind_suffixes[FRAME_KINDS] = {
	[FRAME_USER] = "",	  [FRAME_KERNEL] = "_[k]",
	[FRAME_JIT] = "_[j]",	  [FRAME_INTERPRETED] = "_[p]",
	[FRAME_INLINED] = "_[i]",
};

/*
 * True if a name ends like one of our suffixes: it must be escaped, or it would be read as a mark.
 */
static bool looks_marked(const char *name)
{
	size_t length = strlen(name);

	if (length < 4)
		return false;
	for (int kind = 0; kind < FRAME_KINDS; kind++)
		if (!strcmp(name + length - 4, kind_suffixes[kind]))
			return true;
	return false;
}

/* True if a name would be read as a count at the end of a stack. */
static bool ends_in_count(const char *name)
{
	struct folded_text text = {name, name + strlen(name)};
	struct folded_count count;

	return folded_text__take_count(&text, &count) == FOLDED_COUNT;
}

struct place_in_line {
	bool is_first, is_last; /* of its line */
};

/* Prints a name; escapes characters that would have a meaning at this place. */
static void print_name(FILE *out, const char *name, struct place_in_line place)
{
	char special[8] = ";", *end = special + 1;

	if (place.is_first && *name == '#')
		*end++ = '#';
	if (looks_marked(name))
		*end++ = ']';
	if (place.is_last && ends_in_count(name))
		*end++ = ' ';
	*end = '\0';
	text__print_escaped(out, name, special);
}

static void print_frame(FILE *out, const struct dictionary *dictionary, uint32_t id,
			struct place_in_line place)
{
	print_name(out, dictionary__frame_name(dictionary, id), place);
	fputs(kind_suffixes[frame__shown_kind(dictionary__frame(dictionary, id))], out);
}

static void print_inner_frame(FILE *out, const struct dictionary *dictionary, uint32_t id)
{
	print_frame(out, dictionary, id, (struct place_in_line){0});
}

/*
 * Writes "comm", "comm-PID" or "comm-PID/TID", as stackcollapse-perf.pl does, then the frames.
 * Unlocked, for speed: no other thread writes to out.
 */
static void write_row(FILE *out, struct frame_texts *texts, const struct row *row, enum merge merge,
		      const struct metrics *metrics)
{
	const struct dictionary *dictionary = texts->dictionary;
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, row->stack, &nr_frames);
	const struct process *process = dictionary__process(dictionary, row->process);
	/* Samples of folded text, which has no processes, are written back unchanged. */
	bool begun = *process->comm || process->pid;
	const bool has_pid = merge != MERGE_BY_COMM && (process->pid || process->instance);
	char number[32];

	if (begun) {
		print_name(out, process->comm,
			   (struct place_in_line){true, !nr_frames && !has_pid});
		if (has_pid)
			fprintf(out, "-%" PRId32, process->pid);
		if (has_pid && merge == MERGE_BY_THREAD)
			fprintf(out, "/%" PRId32, row->tid);
	}
	while (nr_frames-- > 0) {
		const struct place_in_line place = {!begun, !nr_frames};
		const struct frame_text *text = frame_texts__get(texts, frames[nr_frames]);

		if (begun)
			putc_unlocked(';', out);
		begun = true;
		if (text && !(place.is_first && *text->bytes == '#') &&
		    !(place.is_last && ends_in_count(text->bytes)))
			fwrite_unlocked(text->bytes, 1, text->nr_bytes, out);
		else
			print_frame(out, dictionary, frames[nr_frames], place);
	}
	metric__format_plain(metrics__shown(metrics), row->values[metrics->shown], number,
			     sizeof(number));
	fprintf(out, " %s\n", number);
}

int folded__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	const struct profile *profile = recording->profile;
	struct frame_texts texts;
	struct row *rows;
	const long nr_rows = profile__top_stacks(profile, options->merge, &rows);

	frame_texts__init(&texts, profile__dictionary(profile), print_inner_frame);
	for (long i = 0; i < nr_rows; i++)
		write_row(out, &texts, &rows[i], options->merge, profile__metrics(profile));
	frame_texts__fini(&texts);
	free(rows);
	return text__stream_error(out);
}
