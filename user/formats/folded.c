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

#include "base/text.h"
#include "topstacks/formats.h"

static const char *const kind_suffixes[FRAME_KINDS] = {
	[FRAME_USER] = "", [FRAME_KERNEL] = "_[k]", [FRAME_JIT] = "_[j]"};

/* A name that ends like one of our suffixes would be read as one. */
static bool looks_marked(const char *name)
{
	size_t length = strlen(name);

	return length >= 4 &&
	       (!strcmp(name + length - 4, "_[k]") || !strcmp(name + length - 4, "_[j]"));
}

static void write_frame(FILE *out, const struct dictionary *dictionary, uint32_t id)
{
	const char *name = dictionary__frame_name(dictionary, id);

	putc(';', out);
	text__print_escaped(out, name, looks_marked(name) ? ";]" : ";");
	fputs(kind_suffixes[dictionary__frame(dictionary, id)->kind], out);
}

/* "comm", "comm-PID" or "comm-PID/TID", as stackcollapse-perf.pl has them. */
static void write_owner(FILE *out, const struct dictionary *dictionary, const struct row *row,
			enum merge merge)
{
	const struct process *process = dictionary__process(dictionary, row->process);

	text__print_escaped(out, process->comm, ";");
	if (merge != MERGE_BY_COMM)
		fprintf(out, "-%" PRId32, process->pid);
	if (merge == MERGE_BY_THREAD)
		fprintf(out, "/%" PRId32, row->tid);
}

static void write_row(FILE *out, const struct dictionary *dictionary, const struct row *row,
		      enum merge merge)
{
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, row->stack, &nr_frames);

	write_owner(out, dictionary, row, merge);
	while (nr_frames-- > 0)
		write_frame(out, dictionary, frames[nr_frames]);
	fprintf(out, " %" PRIu64 "\n", row->values[VALUE_COUNT]);
}

int folded__write(FILE *out, const struct profile *profile, enum merge merge)
{
	struct row *rows;
	long nr_rows = profile__top_stacks(profile, merge, VALUE_COUNT, SIZE_MAX, &rows);

	if (nr_rows < 0)
		return (int)nr_rows;
	for (long i = 0; i < nr_rows; i++)
		write_row(out, profile__dictionary(profile), &rows[i], merge);
	free(rows);
	return text__stream_error(out);
}
