// SPDX-License-Identifier: GPL-2.0-only
/*
 * speedscope's own format, of profile type "sampled": a list of frames, and stacks of indexes into
 * it, root first, with a weight each. One profile a program name (or process, or thread).
 *
 * https://www.speedscope.app/file-format-schema.json
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/json_text.h"
#include "topstacks/formats.h"

struct speedscope {
	struct json json;
	const struct snapshot *snapshot;
	enum merge merge;
	struct row *rows; /* those of one owner follow each other */
	size_t nr_rows;
};

/* Owners in order of their first row, which is the hottest; rows keep their order. */
struct owner {
	uint32_t process;
	int32_t tid;
	uint64_t total;
};

static void write_frames(struct speedscope *file)
{
	const struct dictionary *dictionary = file->snapshot->dictionary;
	size_t nr_frames = dictionary__nr_frames(dictionary);

	json__open(&file->json, "shared", '{');
	json__open(&file->json, "frames", '[');
	for (size_t i = 0; i < nr_frames; i++) {
		const struct frame *frame = dictionary__frame(dictionary, (uint32_t)i);

		json__open(&file->json, NULL, '{');
		json__string(&file->json, "name", dictionary__frame_name(dictionary, (uint32_t)i));
		if (frame->file || frame->module)
			json__string(&file->json, "file",
				     frame->file ? frame->file : frame->module);
		if (frame->file && frame->line)
			json__count(&file->json, "line", frame->line);
		json__close(&file->json, '}');
	}
	json__close(&file->json, ']');
	json__close(&file->json, '}');
}

/* speedscope knows these units, and "none". */
static const char *unit_of(const struct sample_type *type)
{
	static const char *const known[] = {"nanoseconds", "microseconds", "milliseconds",
					    "seconds", "bytes"};

	for (size_t i = 0; type->unit && i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i], type->unit))
			return known[i];
	return "none";
}

static bool is_of(const struct speedscope *file, const struct row *row, const struct owner *owner)
{
	const struct dictionary *dictionary = file->snapshot->dictionary;
	const struct process *a = dictionary__process(dictionary, row->process);
	const struct process *b = dictionary__process(dictionary, owner->process);

	if (file->merge == MERGE_BY_COMM)
		return !strcmp(a->comm, b->comm);
	return row->process == owner->process && row->tid == owner->tid;
}

static void write_name(struct speedscope *file, const struct owner *owner)
{
	const struct process *process =
		dictionary__process(file->snapshot->dictionary, owner->process);
	char name[128];
	size_t length =
		(size_t)snprintf(name, sizeof(name), "%s", *process->comm ? process->comm : "all");

	if (file->merge != MERGE_BY_COMM && process->pid)
		length += (size_t)snprintf(name + length, sizeof(name) - length, " (%" PRId32,
					   process->pid);
	if (file->merge == MERGE_BY_THREAD && process->pid)
		length += (size_t)snprintf(name + length, sizeof(name) - length, "/%" PRId32,
					   owner->tid);
	if (file->merge != MERGE_BY_COMM && process->pid)
		snprintf(name + length, sizeof(name) - length, ")");
	json__string(&file->json, "name", name);
}

static void write_stack(struct speedscope *file, uint32_t stack)
{
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(file->snapshot->dictionary, stack, &nr_frames);

	json__open(&file->json, NULL, '[');
	while (nr_frames-- > 0)
		json__count(&file->json, NULL, frames[nr_frames]);
	json__close(&file->json, ']');
}

static void write_profile(struct speedscope *file, const struct owner *owner)
{
	struct json *json = &file->json;
	enum value value = file->snapshot->shown;

	json__open(json, NULL, '{');
	json__string(json, "type", "sampled");
	write_name(file, owner);
	json__string(json, "unit", unit_of(&file->snapshot->types[value]));
	json__count(json, "startValue", 0);
	json__count(json, "endValue", owner->total);
	json__open(json, "samples", '[');
	for (size_t i = 0; i < file->nr_rows; i++)
		if (is_of(file, &file->rows[i], owner))
			write_stack(file, file->rows[i].stack);
	json__close(json, ']');
	json__open(json, "weights", '[');
	for (size_t i = 0; i < file->nr_rows; i++)
		if (is_of(file, &file->rows[i], owner))
			json__count(json, NULL, file->rows[i].values[value]);
	json__close(json, ']');
	json__close(json, '}');
}

static int find_owners(const struct speedscope *file, struct owner **owners, size_t *nr_owners)
{
	size_t nr = 0;
	struct owner *found = calloc(file->nr_rows ? file->nr_rows : 1, sizeof(*found));

	if (!found)
		return -1;
	for (size_t i = 0; i < file->nr_rows; i++) {
		size_t owner = 0;

		while (owner < nr && !is_of(file, &file->rows[i], &found[owner]))
			owner++;
		if (owner == nr)
			found[nr++] = (struct owner){file->rows[i].process, file->rows[i].tid, 0};
		found[owner].total += file->rows[i].values[file->snapshot->shown];
	}
	*owners = found;
	*nr_owners = nr;
	return 0;
}

static void write_all(struct speedscope *file, const struct owner *owners, size_t nr_owners,
		      const char *title)
{
	struct json *json = &file->json;

	json__open(json, NULL, '{');
	json__string(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json__string(json, "name", title ? title : "topstacks");
	json__string(json, "exporter", "topstacks " TOPSTACKS_VERSION);
	json__count(json, "activeProfileIndex", 0);
	write_frames(file);
	json__open(json, "profiles", '[');
	for (size_t i = 0; i < nr_owners; i++)
		write_profile(file, &owners[i]);
	json__close(json, ']');
	json__close(json, '}');
	putc('\n', json->out);
}

int speedscope__write(FILE *out, const struct snapshot *snapshot,
		      const struct write_options *options)
{
	struct speedscope file = {
		.json = {.out = out}, .snapshot = snapshot, .merge = options->merge};
	struct owner *owners;
	size_t nr_owners;
	long nr_rows = profile__top_stacks(snapshot->profile, options->merge, snapshot->shown,
					   SIZE_MAX, &file.rows);

	if (nr_rows < 0)
		return (int)nr_rows;
	file.nr_rows = (size_t)nr_rows;
	if (find_owners(&file, &owners, &nr_owners)) {
		free(file.rows);
		return -ENOMEM;
	}
	write_all(&file, owners, nr_owners, options->title);
	free(owners);
	free(file.rows);
	return text__stream_error(out);
}
