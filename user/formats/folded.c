// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks: one line a named stack, root first, for flamegraph.pl and everything that reads
 * its input.
 *
 *	redis-server;main;aeMain;aeProcessEvents;do_syscall_64_[k] 169
 *
 * Nothing is lost on the way: docs/formats.md says how names are escaped.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "formats/formats.h"

static const char *const kind_suffixes[FRAME_KINDS] = {
	[FRAME_USER] = "",	  [FRAME_KERNEL] = "_[k]",
	[FRAME_JIT] = "_[j]",	  [FRAME_INTERPRETED] = "_[p]",
	[FRAME_INLINED] = "_[i]",
};

/* A name that ends like one of our suffixes would be read as one. */
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

/* What a line begins with must not make it a comment. */
static const char *special_of(const char *name, bool is_first)
{
	if (is_first && *name == '#')
		return looks_marked(name) ? "#;]" : "#;";
	return looks_marked(name) ? ";]" : ";";
}

/* A frame is in many stacks and its name is escaped once; without memory for that, each time. */
struct folded_names {
	const struct dictionary *dictionary;
	char **texts; /* by frame; NULL: not yet */
};

static int names__init(struct folded_names *names, const struct dictionary *dictionary)
{
	names->dictionary = dictionary;
	names->texts = calloc(dictionary__nr_frames(dictionary) + 1, sizeof(char *));
	return names->texts ? 0 : -ENOMEM;
}

static void names__clear(struct folded_names *names)
{
	for (size_t i = 0; i < dictionary__nr_frames(names->dictionary); i++)
		free(names->texts[i]);
	free(names->texts);
}

static void print_frame(FILE *out, const struct dictionary *dictionary, uint32_t id, bool is_first)
{
	const char *name = dictionary__frame_name(dictionary, id);

	text__print_escaped(out, name, special_of(name, is_first));
	fputs(kind_suffixes[frame__shown_kind(dictionary__frame(dictionary, id))], out);
}

static char *make_text(const struct dictionary *dictionary, uint32_t id)
{
	char *text = NULL;
	size_t nr_bytes;
	FILE *memory = open_memstream(&text, &nr_bytes);

	if (!memory)
		return NULL;
	print_frame(memory, dictionary, id, false);
	if (!fclose(memory))
		return text;
	free(text);
	return NULL;
}

static void write_frame(FILE *out, struct folded_names *names, uint32_t id, bool is_first)
{
	if (!names->texts[id])
		names->texts[id] = make_text(names->dictionary, id);
	if (names->texts[id] && !(is_first && *names->texts[id] == '#'))
		fputs(names->texts[id], out);
	else
		print_frame(out, names->dictionary, id, is_first);
}

/* Folded text itself knows no processes: what was read from it is written as it was. */
static bool has_owner(const struct process *process)
{
	return *process->comm || process->pid;
}

/* "comm", "comm-PID" or "comm-PID/TID", as stackcollapse-perf.pl has them. */
static void write_owner(FILE *out, const struct dictionary *dictionary, const struct row *row,
			enum merge merge)
{
	const struct process *process = dictionary__process(dictionary, row->process);

	text__print_escaped(out, process->comm, special_of(process->comm, true));
	if (merge != MERGE_BY_COMM)
		fprintf(out, "-%" PRId32, process->pid);
	if (merge == MERGE_BY_THREAD)
		fprintf(out, "/%" PRId32, row->tid);
}

static void write_row(FILE *out, struct folded_names *names, const struct row *row,
		      enum merge merge, enum value value)
{
	const struct dictionary *dictionary = names->dictionary;
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, row->stack, &nr_frames);
	bool begun = has_owner(dictionary__process(dictionary, row->process));

	if (begun)
		write_owner(out, dictionary, row, merge);
	while (nr_frames-- > 0) {
		if (begun)
			putc(';', out);
		write_frame(out, names, frames[nr_frames], !begun);
		begun = true;
	}
	fprintf(out, " %" PRIu64 "\n", row->values[value]);
}

int folded__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	const struct profile *profile = recording->profile;
	const enum value shown = profile__metrics(profile)->shown;
	struct folded_names names;
	struct row *rows;
	long nr_rows = profile__top_stacks(profile, options->merge, SIZE_MAX, &rows);

	if (nr_rows < 0)
		return (int)nr_rows;
	if (names__init(&names, profile__dictionary(profile))) {
		free(rows);
		return -ENOMEM;
	}
	for (long i = 0; i < nr_rows; i++)
		write_row(out, &names, &rows[i], options->merge, shown);
	names__clear(&names);
	free(rows);
	return text__stream_error(out);
}
