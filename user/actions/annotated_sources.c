// SPDX-License-Identifier: GPL-2.0-only
#include "actions/annotated_sources.h"

#include "actions/rename.h"
#include "lines/source_text.h"
#include "run/helpers.h"

#define MAX_TEXTS 16 /* lines of further files are shown without text */

/* ---- range of lines ---- */

static void include_line(struct source_file *file, uint32_t line)
{
	if (!line)
		return;
	if (!file->first || line < file->first)
		file->first = line;
	if (line > file->last)
		file->last = line;
}

/* Includes the lines of all instructions: those without samples show how far the function goes. */
static void include_code(struct source_file *file, const struct annotated_code *code)
{
	for (size_t i = 0; file->name && i < code->nr_files; i++)
		for (size_t j = 0; j < code->files[i].nr_blocks; j++) {
			const struct code_block *block = &code->files[i].blocks[j];

			for (size_t k = 0; k < block->nr_rows; k++)
				if (block->rows[k].file && !strcmp(block->rows[k].file, file->name))
					include_line(file, block->rows[k].line);
		}
}

static void find_files(struct annotated_sources *sources, const struct annotation *annotation)
{
	const struct annotated_line *line = annotation->lines;

	for (const struct annotated_line *end = line + annotation->nr_lines; line < end; line++) {
		struct source_file *last = &sources->files[sources->nr_files];

		if (!sources->nr_files || last[-1].name != line->file) {
			*last = (struct source_file){.name = line->file};
			sources->nr_files++;
		}
		include_line(&sources->files[sources->nr_files - 1], line->line);
	}
	if (sources->nr_files == 1 && annotation->start_line < sources->files[0].first)
		include_line(&sources->files[0], annotation->start_line);
}

/* ---- text of the lines ---- */

static const char *why_not(int code)
{
	switch (code) {
	case -ENOENT:
		return "Its text is not here: --source DIR names a directory that has it.";
	case -EACCES:
	case -EPERM:
		return "Its text is not for everybody to read, so it is not shown: --source DIR "
		       "names a directory that may be read.";
	case -EINVAL:
	case -EMEDIUMTYPE:
		return "What is there is no ordinary file, so it is not read.";
	case -EILSEQ:
		return "What is there is no text, so it is not shown.";
	case -EFBIG:
		return "What is there is too large for a source, so it is not shown.";
	default:
		return "Its text cannot be read.";
	}
}

static void note(struct source_file *file, const char *text)
{
	snprintf(file->note, sizeof(file->note), "%s", text);
}

static void tell_changes(struct source_file *file, const struct source_text *text, int64_t built_ns)
{
	if (file->last > text->nr_lines)
		snprintf(file->note, sizeof(file->note),
			 "It has %zu lines, and samples are in line %" PRIu32
			 ": it is not what the program was built from.",
			 text->nr_lines, file->last);
	else if (built_ns && text->modified_ns > built_ns)
		note(file, "It is newer than the program, so lines may have moved.");
}

static int read_text(struct source_file *file, struct source_text *text, int64_t built_ns,
		     const struct annotating_tools *tools)
{
	const struct source_places places = {.directory = tools->source,
					     .opener = tools->opener,
					     .readers = tools->namer->helpers.readers};
	const int code = source_text__read(text, &places, file->name);

	if (code == -ENOMEM)
		return code;
	if (code) {
		note(file, why_not(code));
		return 0;
	}
	file->lines = text->lines;
	file->nr_lines = text->nr_lines;
	tell_changes(file, text, built_ns);
	return 0;
}

int annotated_sources__make(struct annotated_sources *sources, const struct annotation *annotation,
			    const struct annotated_code *code, int64_t built_ns,
			    const struct annotating_tools *tools)
{
	const size_t nr_most = annotation->nr_lines + 1;
	int result = 0;

	*sources = (struct annotated_sources){
		.files = calloc(nr_most, sizeof(*sources->files)),
		.texts = calloc(nr_most, sizeof(*sources->texts)),
	};
	if (!sources->files || !sources->texts)
		result = -ENOMEM;
	else
		find_files(sources, annotation);
	for (size_t i = 0; !result && i < sources->nr_files; i++) {
		struct source_file *file = &sources->files[i];

		include_code(file, code);
		if (file->name && file->first && i < MAX_TEXTS)
			result = read_text(file, &sources->texts[i], built_ns, tools);
	}
	if (result)
		annotated_sources__fini(sources);
	return result;
}

void annotated_sources__fini(struct annotated_sources *sources)
{
	for (size_t i = 0; i < sources->nr_files; i++)
		source_text__free(&sources->texts[i]);
	free(sources->files);
	free(sources->texts);
	*sources = (struct annotated_sources){0};
}
