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

static void include_block(struct annotated_sources *sources, const struct code_block *block)
{
	for (size_t i = 0; i < sources->nr_files; i++)
		for (size_t j = 0; sources->files[i].name && j < block->nr_rows; j++)
			if (block->rows[j].file &&
			    !strcmp(block->rows[j].file, sources->files[i].name))
				include_line(&sources->files[i], block->rows[j].line);
}

static void find_files(struct annotated_sources *sources, const struct annotation *annotation,
		       const struct annotated_code *code)
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

	/* Instructions without samples show how far the function goes. */
	for (size_t i = 0; i < code->nr_files; i++)
		for (size_t j = 0; j < code->files[i].nr_blocks; j++)
			include_block(sources, &code->files[i].blocks[j]);
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
		return "The path is not that of an ordinary file, so it is not read.";
	case -EILSEQ:
		return "The file is no text, so it is not shown.";
	case -EFBIG:
		return "The file is too large for a source, so it is not shown.";
	default:
		return "Its text cannot be read.";
	}
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
		snprintf(file->note, sizeof(file->note), "%s", why_not(code));
		return 0;
	}
	file->lines = text->lines;
	file->nr_lines = text->nr_lines;
	if (file->last > text->nr_lines)
		snprintf(file->note, sizeof(file->note),
			 "It has %zu lines, and samples are in line %" PRIu32
			 ": it is not what the program was built from.",
			 text->nr_lines, file->last);
	else if (built_ns && text->modified_ns > built_ns)
		snprintf(file->note, sizeof(file->note),
			 "It is newer than the program, so lines may have moved.");
	return 0;
}

int annotated_sources__make(struct annotated_sources *sources, const struct annotation *annotation,
			    const struct annotated_code *code, int64_t built_ns,
			    const struct annotating_tools *tools)
{
	const size_t nr_most = annotation->nr_lines + 1;
	int result = 0;

	*sources = (struct annotated_sources){
		.files = xcalloc(nr_most, sizeof(*sources->files)),
		.texts = xcalloc(nr_most, sizeof(*sources->texts)),
	};
	find_files(sources, annotation, code);
	for (size_t i = 0; !result && i < sources->nr_files && i < MAX_TEXTS; i++) {
		struct source_file *file = &sources->files[i];

		if (file->name && file->first)
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
