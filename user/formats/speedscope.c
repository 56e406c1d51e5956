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
	/* speedscope has these units, and "none" */
	static const char *const units[] = {"nanoseconds", "microseconds", "milliseconds",
					    "seconds", "bytes"};
	struct json *json = &file->json;
	const struct profile *profile = file->recording->profile;
	const enum value shown = profile__metrics(profile)->shown;
	const struct metric *metric = metrics__shown(profile__metrics(profile));
	const char *unit = "none";
	char name[OWNER_NAME_SIZE];
	size_t nr_rows, nr_frames;
	const struct owned_row *rows = owners__rows(&file->owners, owner, &nr_rows);

	for (size_t i = 0; metric->unit && i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i], metric->unit))
			unit = units[i];
	json__open(json, NULL, '{');
	json__string(json, "type", "sampled");
	json__string(json, "name", owners__name(&file->owners, owner, name));
	json__string(json, "unit", unit);
	json__count(json, "startValue", 0);
	write_value(json, "endValue", metric, file->owners.owners[owner].total);
	json__open(json, "samples", '[');
	for (size_t i = 0; i < nr_rows; i++) {
		const uint32_t *frames = dictionary__stack(profile__dictionary(profile),
							   rows[i].row.stack, &nr_frames);

		json__open(json, NULL, '[');
		while (nr_frames-- > 0)
			json__count(json, NULL, frames[nr_frames]);
		json__close(json, ']');
	}
	json__close(json, ']');
	json__open(json, "weights", '[');
	for (size_t i = 0; i < nr_rows; i++)
		write_value(json, NULL, metric, rows[i].row.values[shown]);
	json__close(json, ']');
	json__close(json, '}');
}

int speedscope__write(FILE *out, const struct recording *recording,
		      const struct write_options *options)
{
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	const size_t nr_frames = dictionary__nr_frames(dictionary);
	struct speedscope file = {.json = {.out = out}, .recording = recording};
	struct json *json = &file.json;

	owners__init(&file.owners, recording, options->merge);
	json__open(json, NULL, '{');
	json__string(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json__string(json, "name", options->title ? options->title : "topstacks");
	json__string(json, "exporter", "topstacks " TOPSTACKS_VERSION);
	json__count(json, "activeProfileIndex", 0);
	json__open(json, "shared", '{');
	json__open(json, "frames", '[');
	for (uint32_t i = 0; i < nr_frames; i++) {
		const struct frame *frame = dictionary__frame(dictionary, i);

		json__open(json, NULL, '{');
		json__string(json, "name", dictionary__frame_name(dictionary, i));
		if (frame->file || frame->module)
			json__string(json, "file", frame->file ? frame->file : frame->module);
		if (frame->file && frame->line)
			json__count(json, "line", frame->line);
		json__close(json, '}');
	}
	json__close(json, ']');
	json__close(json, '}');
	json__open(json, "profiles", '[');
	for (size_t i = 0; i < file.owners.nr_owners; i++)
		write_profile(&file, i);
	json__close(json, ']');
	json__end(json);
	owners__fini(&file.owners);
	return text__stream_error(out);
}
