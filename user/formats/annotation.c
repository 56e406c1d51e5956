// SPDX-License-Identifier: GPL-2.0-only
#include "formats/annotation.h"

#include "formats/json_errors.h"
#include "formats/json_text.h"
#include "profile/certainty.h"

struct writing {
	struct json json;
	const struct recording *recording;
	const struct annotated_text *text;
	struct certainty certainty; /* of counts */
};

static void write_sums(struct json *json, const char *key, const uint64_t values[VALUES])
{
	json__open(json, key, '{');
	json__count(json, "count", values[VALUE_COUNT]);
	json__count(json, "weight", values[VALUE_WEIGHT]);
	json__close(json, '}');
}

static void write_values(struct writing *writing, const struct annotated_values *values)
{
	write_sums(&writing->json, "self", values->self);
	json_errors__write_bounds(&writing->json, &writing->certainty,
				  (struct portion){.value = (double)values->self[VALUE_COUNT]});
	write_sums(&writing->json, "calls", values->calls);
}

static void write_number_or_null(struct json *json, const char *key, uint64_t number)
{
	if (number)
		json__count(json, key, number);
	else
		json__null(json, key);
}

static void write_address(struct json *json, const char *key, uint64_t address)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json__string(json, key, address ? text : NULL);
}

static void write_note(struct json *json, const char *note)
{
	json__string(json, "note", note && *note ? note : NULL);
}

/* ---- source ---- */

static const struct annotated_line *write_line(struct writing *writing,
					       const struct source_file *source,
					       const struct annotated_line *line,
					       const struct annotated_line *end)
{
	struct json *json = &writing->json;
	const bool has_text = line->line && line->line <= source->nr_lines;

	json__open(json, NULL, '{');
	write_number_or_null(json, "line", line->line);
	json__string(json, "text", has_text ? source->lines[line->line - 1] : NULL);
	write_values(writing, &line->values);
	json__open(json, "inlined", '[');
	for (line++; line < end && line->inlined; line++) {
		json__open(json, NULL, '{');
		json__string(json, "function", line->inlined);
		json__string(json, "file", line->inlined_file);
		write_number_or_null(json, "line", line->inlined_line);
		write_values(writing, &line->values);
		json__close(json, '}');
	}
	json__close(json, ']');
	json__close(json, '}');
	return line;
}

static void write_sources(struct writing *writing)
{
	const struct annotated_text *text = writing->text;
	const struct annotated_line *line = text->annotation->lines;
	const struct annotated_line *end = line + text->annotation->nr_lines;
	struct json *json = &writing->json;

	json__open(json, "sources", '[');
	for (size_t i = 0; i < text->nr_sources; i++) {
		const char *file = line->file;

		json__open(json, NULL, '{');
		json__string(json, "file", text->sources[i].name);
		write_note(json, text->sources[i].note);
		json__open(json, "lines", '[');
		while (line < end && line->file == file)
			line = write_line(writing, &text->sources[i], line, end);
		json__close(json, ']');
		json__close(json, '}');
	}
	json__close(json, ']');
}

/* ---- code ---- */

static void write_block(struct writing *writing, const struct code_block *block)
{
	struct json *json = &writing->json;

	json__open(json, NULL, '{');
	json__string(json, "function", block->name);
	write_address(json, "start", block->start);
	write_address(json, "end", block->end);
	write_values(writing, &block->values);
	json__open(json, "instructions", '[');
	for (size_t i = 0; i < block->nr_rows; i++) {
		const struct code_row *row = &block->rows[i];

		json__open(json, NULL, '{');
		write_address(json, "address", row->address);
		json__string(json, "text", row->text);
		write_address(json, "target", row->target);
		json__string(json, "target_function", row->target_name);
		json__string(json, "file", row->file);
		write_number_or_null(json, "line", row->line);
		write_values(writing, &row->values);
		json__close(json, '}');
	}
	json__close(json, ']');
	json__close(json, '}');
}

/* ---- the function ---- */

int json__write_annotation(FILE *out, const struct recording *recording,
			   const struct annotated_text *text)
{
	struct writing writing = {.json = {.out = out}, .recording = recording, .text = text};
	const struct annotation *annotation = text->annotation;
	const struct annotated_function *function = &annotation->function;
	struct json *json = &writing.json;

	certainty__init_value(&writing.certainty, recording, VALUE_COUNT);
	/* Shares are of all samples, not of the selected ones. */
	writing.certainty.samples *= (double)text->total[VALUE_COUNT] / writing.certainty.whole;
	writing.certainty.whole = writing.certainty.squares = (double)text->total[VALUE_COUNT];
	json__open(json, NULL, '{');
	json__string(json, "schema", "topstacks.annotation/1");
	json__string(json, "function", function->name);
	json__string(json, "module", function->module);
	json__string(json, "kind", frame_kind__name(function->kind));
	write_sums(json, "whole", text->total);
	write_sums(json, "total", annotation->total);
	write_values(&writing, &annotation->values);
	write_note(json, text->note);

	json__open(json, "inlined_into", '[');
	for (size_t i = 0; i < annotation->nr_hosts; i++) {
		json__open(json, NULL, '{');
		json__string(json, "function", annotation->hosts[i].function);
		json__string(json, "module", annotation->hosts[i].module);
		write_values(&writing, &annotation->hosts[i].values);
		json__close(json, '}');
	}
	json__close(json, ']');
	write_sources(&writing);

	json__open(json, "code", '[');
	for (size_t i = 0; i < text->nr_files; i++) {
		const struct code_file *file = &text->files[i];

		json__open(json, NULL, '{');
		json__string(json, "path", file->path);
		json__string(json, "build_id", file->build_id);
		write_note(json, file->note);
		json__open(json, "blocks", '[');
		for (size_t j = 0; j < file->nr_blocks; j++)
			write_block(&writing, &file->blocks[j]);
		json__close(json, ']');
		json__open(json, "unplaced", '{');
		write_values(&writing, &file->unplaced);
		json__close(json, '}');
		json__close(json, '}');
	}
	json__close(json, ']');
	json__end(json);
	return text__stream_error(out);
}
