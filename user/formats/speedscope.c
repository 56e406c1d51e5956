// SPDX-License-Identifier: GPL-2.0-only
/*
 * speedscope's own format, of profile type "sampled": a list of frames, and stacks of indexes into
 * it, root first, with a weight each. Each program name (or process, or thread) is a profile.
 *
 * https://www.speedscope.app/file-format-schema.json
 */

#include "formats/formats.h"
#include "formats/json_text.h"
#include "formats/owners.h"

struct speedscope {
	struct json json;
	const struct recording *recording;
	struct owners owners;
};

static void write_frames(struct speedscope *file)
{
	const struct dictionary *dictionary = profile__dictionary(file->recording->profile);
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

/* speedscope has these units, and "none". */
static const char *unit_of(const struct metric *type)
{
	static const char *const known[] = {"nanoseconds", "microseconds", "milliseconds",
					    "seconds", "bytes"};

	for (size_t i = 0; type->unit && i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i], type->unit))
			return known[i];
	return "none";
}

static void write_stack(struct speedscope *file, uint32_t stack)
{
	size_t nr_frames;
	const uint32_t *frames =
		dictionary__stack(profile__dictionary(file->recording->profile), stack, &nr_frames);

	json__open(&file->json, NULL, '[');
	while (nr_frames-- > 0)
		json__count(&file->json, NULL, frames[nr_frames]);
	json__close(&file->json, ']');
}

/* Writes a value; its unit has no decimals here, so fractions are written as such. */
static void write_value(struct json *json, const char *key, const struct metric *metric,
			uint64_t value)
{
	if (metric__decimals(metric))
		json__number(json, key, metric__number(metric, value));
	else
		json__count(json, key, value);
}

static void write_profile(struct speedscope *file, size_t owner)
{
	struct json *json = &file->json;
	const struct metrics *metrics = profile__metrics(file->recording->profile);
	char name[OWNER_NAME_SIZE];
	size_t nr_rows;
	const struct owned_row *rows = owners__rows(&file->owners, owner, &nr_rows);

	json__open(json, NULL, '{');
	json__string(json, "type", "sampled");
	json__string(json, "name", owners__name(&file->owners, owner, name));
	json__string(json, "unit", unit_of(metrics__shown(metrics)));
	json__count(json, "startValue", 0);
	write_value(json, "endValue", metrics__shown(metrics), file->owners.owners[owner].total);
	json__open(json, "samples", '[');
	for (size_t i = 0; i < nr_rows; i++)
		write_stack(file, rows[i].row.stack);
	json__close(json, ']');
	json__open(json, "weights", '[');
	for (size_t i = 0; i < nr_rows; i++)
		write_value(json, NULL, metrics__shown(metrics),
			    rows[i].row.values[metrics->shown]);
	json__close(json, ']');
	json__close(json, '}');
}

int speedscope__write(FILE *out, const struct recording *recording,
		      const struct write_options *options)
{
	struct speedscope file = {.json = {.out = out}, .recording = recording};
	struct json *json = &file.json;
	int code = owners__init(&file.owners, recording, options->merge);

	if (code)
		return code;
	json__open(json, NULL, '{');
	json__string(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json__string(json, "name", options->title ? options->title : "topstacks");
	json__string(json, "exporter", "topstacks " TOPSTACKS_VERSION);
	json__count(json, "activeProfileIndex", 0);
	write_frames(&file);
	json__open(json, "profiles", '[');
	for (size_t i = 0; i < file.owners.nr_owners; i++)
		write_profile(&file, i);
	json__close(json, ']');
	json__end(json);
	owners__fini(&file.owners);
	return text__stream_error(out);
}
