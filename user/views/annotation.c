// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function, line by line and instruction by instruction:
 *
 *	SELF % ±      SAMPLES  CALLS %   LINE
 *	   8.1 ±1.8        81               12  	for (i = 0; i < n; i++)
 *	  30.2 ±2.9       302               13  		sum += data[i];
 *
 * Percentages are of all samples of the recording, as in all other tables.
 */
#include "views/annotation.h"

#include "views/name.h"
#include "views/pen.h"
#include "views/tables.h"

#define FEW_LINES	  60 /* a function with no more lines is shown whole */
#define LINES_AROUND	  3  /* a line with samples */
#define FEW_INSTRUCTIONS  80
#define INSTRUCTIONS_NEAR 6
#define MOST_LINE_BYTES	  400 /* of a source line on the screen */
#define TAB_COLUMNS	  8

struct annotating_view {
	struct table table;
	const struct annotated_text *text;
	enum value shown;
	bool whole;
};

/* ---- numbers ---- */

static double share(const struct annotating_view *view, const uint64_t values[VALUES],
		    enum value value)
{
	const uint64_t total = view->text->total[value];

	return total ? (double)values[value] / (double)total : 0;
}

static void write_share(struct annotating_view *view, int columns, const uint64_t values[VALUES])
{
	struct pen *pen = &view->table.pen;

	if (values[view->shown])
		pen__format(pen, STYLE_BOLD, "%*.1f", columns,
			    100 * share(view, values, view->shown));
	else
		pen__format(pen, STYLE_PLAIN, "%*s", columns, "");
}

static void write_values(struct annotating_view *view, const struct annotated_values *values)
{
	struct pen *pen = &view->table.pen;
	char self[32] = "";

	if (values->self[view->shown])
		metric__format(view->table.metric, values->self[view->shown], self, sizeof(self));
	write_share(view, 6, values->self);
	if (values->self[view->shown])
		table__write_error(&view->table, (struct portion){(double)values->self[view->shown],
								  values->self_squares});
	else if (view->table.has_errors)
		pen__format(pen, STYLE_PLAIN, "%6s", "");
	pen__format(pen, STYLE_PLAIN, "  %*s", (int)view->table.value_columns, self);
	write_share(view, 9, values->calls);
}

static void write_heading(struct annotating_view *view, const char *last)
{
	struct pen *pen = &view->table.pen;

	pen__text(pen, STYLE_DIM, "SELF %");
	table__write_error_heading(&view->table);
	pen__format(pen, STYLE_DIM, "  %*s  CALLS %%  %s", (int)view->table.value_columns,
		    table__heading(&view->table), last);
	pen__end_line(pen);
}

static void write_gap(struct annotating_view *view)
{
	pen__text(&view->table.pen, STYLE_DIM, "     …");
	pen__end_line(&view->table.pen);
}

static void write_note(struct annotating_view *view, const char *note)
{
	pen__text(&view->table.pen, STYLE_PLAIN, note);
	pen__end_line(&view->table.pen);
}

static bool has_values(const struct annotated_values *values)
{
	return values->self[VALUE_COUNT] || values->calls[VALUE_COUNT] ||
	       values->self[VALUE_WEIGHT] || values->calls[VALUE_WEIGHT];
}

/* ---- the function ---- */

static void write_part(struct annotating_view *view, const uint64_t values[VALUES], double squares,
		       const char *where)
{
	struct pen *pen = &view->table.pen;

	pen__format(pen, STYLE_BOLD, "  %.1f", 100 * share(view, values, view->shown));
	if (view->table.has_errors)
		pen__format(pen, STYLE_PLAIN, " ±%.1f",
			    table__error(&view->table,
					 (struct portion){(double)values[view->shown], squares}));
	pen__format(pen, STYLE_PLAIN, " %% %s", where);
}

/* "parse (prog)  30.2 ±2.8 % itself  4.1 ±1.3 % in what it calls, of 1,000 samples"; then its hosts */
static void write_function(struct annotating_view *view)
{
	const struct annotation *annotation = view->text->annotation;
	struct pen *pen = &view->table.pen;
	char whole[64];

	name__write(pen, annotation->function.name, annotation->function.module,
		    annotation->function.kind);
	write_part(view, annotation->values.self, annotation->values.self_squares, "itself");
	write_part(view, annotation->values.calls, annotation->values.calls_squares,
		   "in what it calls");
	metric__describe(view->table.metric, view->text->total[view->shown], whole, sizeof(whole));
	pen__format(pen, STYLE_PLAIN, ", of %s", whole);
	pen__end_line(pen);
	for (size_t i = 0; i < annotation->nr_hosts; i++) {
		const struct annotated_host *host = &annotation->hosts[i];

		pen__text(pen, STYLE_PLAIN, "inlined into ");
		name__write(pen, host->function, host->module, FRAME_USER);
		write_part(view, host->values.self, host->values.self_squares, "itself");
		write_part(view, host->values.calls, host->values.calls_squares,
			   "in what it calls");
		pen__end_line(pen);
	}
	if (annotation->nr_hosts)
		write_note(view, "Inlined copies have their instructions in those functions: "
				 "--annotate shows them.");
}

/* ---- source ---- */

/* Expands tabs, and cuts very long lines. */
static void write_source_text(struct annotating_view *view, const char *line)
{
	char text[MOST_LINE_BYTES + TAB_COLUMNS + 1];
	size_t length = 0;

	for (; *line && length < MOST_LINE_BYTES; line++) {
		if (*line != '\t') {
			text[length++] = *line;
			continue;
		}
		do
			text[length++] = ' ';
		while (length % TAB_COLUMNS);
	}
	if (*line) /* do not cut a character in half */
		while (length && (text[length - 1] & 0x80))
			length--;
	text[length] = '\0';
	pen__text(&view->table.pen, STYLE_PLAIN, text);
	if (*line)
		pen__text(&view->table.pen, STYLE_DIM, "…");
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void write_line(struct annotating_view *view, const struct source_file *source,
		       uint32_t number, const struct annotated_values *values)
{
	struct pen *pen = &view->table.pen;

	write_values(view, values);
	pen__format(pen, STYLE_DIM, "  %5" PRIu32, number);
	if (source->lines && number && number <= source->nr_lines && *source->lines[number - 1]) {
		pen__text(pen, STYLE_PLAIN, "  ");
		write_source_text(view, source->lines[number - 1]);
	}
	pen__end_line(pen);
}

/* The annotated lines of one source file that are not written yet. */
struct sampled_lines {
	const struct annotated_line *next, *end;
};

/* Writes the next line with samples, and the code inlined there. */
static void write_sampled(struct annotating_view *view, const struct source_file *source,
			  struct sampled_lines *lines)
{
	write_line(view, source, lines->next->line, &lines->next->values);
	for (lines->next++; lines->next < lines->end && lines->next->inlined; lines->next++) {
		struct pen *pen = &view->table.pen;

		write_values(view, &lines->next->values);
		pen__format(pen, STYLE_DIM, "  %5s    ", "");
		name__write(pen, lines->next->inlined, NULL, FRAME_INLINED);
		if (lines->next->inlined_file) {
			pen__text(pen, STYLE_DIM, "  ");
			pen__text(pen, STYLE_DIM, base_name(lines->next->inlined_file));
			pen__format(pen, STYLE_DIM, ":%" PRIu32, lines->next->inlined_line);
		}
		pen__end_line(pen);
	}
}

/* True if a line without samples is shown. before: the last line before it with samples. */
static bool is_near(const struct annotating_view *view, const struct source_file *source,
		    const struct sampled_lines *lines, uint32_t number, uint32_t before)
{
	if (view->whole || source->last - source->first < FEW_LINES)
		return true;
	return (before && number - before <= LINES_AROUND) ||
	       (lines->next < lines->end && lines->next->line - number <= LINES_AROUND);
}

/* Begins one line early: the first line of a function is often that of its brace. */
static void write_with_text(struct annotating_view *view, const struct source_file *source,
			    struct sampled_lines *lines)
{
	const struct annotated_values nothing = {0};
	const uint32_t last =
		source->last < source->nr_lines ? source->last : (uint32_t)source->nr_lines;
	uint32_t before = 0;
	bool is_gap = false;

	for (uint32_t number = source->first - (source->first > 1); number <= last; number++) {
		const bool is_sampled = lines->next < lines->end && lines->next->line == number;

		if (!is_sampled && !is_near(view, source, lines, number, before)) {
			is_gap = true;
			continue;
		}
		if (is_gap && before)
			write_gap(view);
		is_gap = false;
		if (is_sampled) {
			write_sampled(view, source, lines);
			before = number;
		} else {
			write_line(view, source, number, &nothing);
		}
	}
}

static const char *why_lineless(enum frame_kind kind)
{
	switch (kind) {
	case FRAME_USER:
		return "No line of its source is known: debug information of it is not here.";
	case FRAME_INTERPRETED:
		return "No line of its source is known: record with --lines to have lines of "
		       "interpreted code.";
	default:
		return "No line of its source is known.";
	}
}

static void write_source(struct annotating_view *view, const struct source_file *source,
			 struct sampled_lines lines)
{
	struct pen *pen = &view->table.pen;

	pen__end_line(pen);
	if (!source->name) {
		if (view->text->nr_sources > 1) {
			write_values(view, &lines.next->values);
			write_note(view, "  in no line that is known");
		} else { /* numbers would say nothing */
			write_note(view, why_lineless(view->text->annotation->function.kind));
		}
		return;
	}
	pen__text(pen, STYLE_BOLD, source->name);
	pen__end_line(pen);
	if (*source->note)
		write_note(view, source->note);
	write_heading(view, " LINE");
	if (source->lines)
		write_with_text(view, source, &lines);
	while (lines.next < lines.end) /* lines beyond the end of the text */
		write_sampled(view, source, &lines);
}

static void write_sources(struct annotating_view *view)
{
	const struct annotation *annotation = view->text->annotation;
	const struct annotated_line *line = annotation->lines;
	const struct annotated_line *end = line + annotation->nr_lines;

	for (size_t i = 0; i < view->text->nr_sources; i++) {
		struct sampled_lines lines = {line, line};

		while (lines.end < end && lines.end->file == line->file)
			lines.end++;
		line = lines.end;
		write_source(view, &view->text->sources[i], lines);
	}
}

/* ---- code ---- */

/* Writes "↑" or "↓" for a jump within the block; else the target, "<memcpy@plt+0x10>". */
static void write_target(struct annotating_view *view, const struct code_block *block,
			 const struct code_row *row)
{
	struct pen *pen = &view->table.pen;

	if (row->is_jump && row->target >= block->start && row->target < block->end) {
		pen__text(pen, STYLE_DIM, row->target > row->address ? " ↓" : " ↑");
		return;
	}
	if (!row->target_name)
		return;
	pen__text(pen, STYLE_DIM, "  <");
	pen__text(pen, STYLE_DIM, row->target_name);
	if (row->target_offset)
		pen__format(pen, STYLE_DIM, "+0x%" PRIx64, row->target_offset);
	pen__text(pen, STYLE_DIM, ">");
}

/*
 * The length of the mnemonic with its prefixes: 3 of "mov %rax, %rbx", 8 of "lock add %rax,
 * (%rdi)". No operand begins with a letter.
 */
static size_t mnemonic_length(const char *text)
{
	const char *space = strchr(text, ' ');

	while (space && space[1] >= 'a' && space[1] <= 'z')
		space = strchr(space + 1, ' ');
	return space ? (size_t)(space - text) : strlen(text);
}

static void write_row(struct annotating_view *view, const struct code_block *block,
		      const struct code_row *row, const struct code_row *before)
{
	struct pen *pen = &view->table.pen;
	const size_t length = mnemonic_length(row->text);

	write_values(view, &row->values);
	pen__format(pen, STYLE_DIM, " %s%8" PRIx64 "  ", row->is_led_to ? ">" : " ", row->address);
	pen__format(pen, STYLE_PLAIN, row->text[length] ? "%-6.*s" : "%.*s", (int)length,
		    row->text);
	pen__text(pen, STYLE_PLAIN, row->text + length);
	write_target(view, block, row);
	if (row->file && (!before || row->line != before->line || row->file != before->file)) {
		pen__text(pen, STYLE_DIM, "  # ");
		pen__text(pen, STYLE_DIM, base_name(row->file));
		pen__format(pen, STYLE_DIM, ":%" PRIu32, row->line);
	}
	pen__end_line(pen);
}

/* The next row with samples from here on, or nr_rows. */
static size_t next_sampled(const struct code_block *block, size_t row)
{
	while (row < block->nr_rows && !has_values(&block->rows[row].values))
		row++;
	return row;
}

static void write_block(struct annotating_view *view, const struct code_file *file,
			const struct code_block *block)
{
	const bool all = view->whole || block->nr_rows <= FEW_INSTRUCTIONS;
	size_t next = next_sampled(block, 0), nr_until_last = 0, nr_shown_until = 0;
	struct pen *pen = &view->table.pen;

	pen__end_line(pen);
	pen__text(pen, STYLE_BOLD, block->name ? block->name : "a function without a name");
	pen__format(pen, STYLE_PLAIN, "  %" PRIx64 "-%" PRIx64 "  ", block->start, block->end);
	pen__text(pen, STYLE_DIM, file->path);
	pen__end_line(pen);
	write_heading(view, " ADDRESS  INSTRUCTION");
	for (size_t i = 0; i < block->nr_rows; i++) {
		const bool is_first = i == 0 || nr_shown_until != i;

		if (i == next) {
			nr_until_last = i + 1;
			next = next_sampled(block, i + 1);
		}
		if (!all && !(nr_until_last && i + 1 - nr_until_last <= INSTRUCTIONS_NEAR) &&
		    !(next < block->nr_rows && next - i <= INSTRUCTIONS_NEAR))
			continue;
		if (is_first && nr_shown_until)
			write_gap(view);
		write_row(view, block, &block->rows[i], is_first ? NULL : &block->rows[i - 1]);
		nr_shown_until = i + 1;
	}
}

static void write_file(struct annotating_view *view, const struct code_file *file)
{
	for (size_t i = 0; i < file->nr_blocks; i++)
		write_block(view, file, &file->blocks[i]);
	if (!*file->note && !has_values(&file->unplaced))
		return;
	pen__end_line(&view->table.pen);
	if (*file->note)
		write_note(view, file->note);
	if (*file->note || !has_values(&file->unplaced))
		return;
	write_values(view, &file->unplaced);
	pen__text(&view->table.pen, STYLE_PLAIN, "  at addresses where no instruction is known");
	pen__end_line(&view->table.pen);
}

int view__write_annotation(FILE *out, const struct recording *recording,
			   const struct view_options *options, const struct annotated_text *text,
			   bool whole)
{
	const struct metrics *metrics = profile__metrics(recording->profile);
	struct annotating_view view = {
		.text = text,
		.shown = metrics->shown,
		.whole = whole,
	};

	table__begin(&view.table, out, recording, options);
	view.table.value_columns = text__width(table__heading(&view.table));
	table__fit(&view.table, text->annotation->values.self[view.shown]);
	write_function(&view);
	write_sources(&view);
	for (size_t i = 0; i < text->nr_files; i++)
		write_file(&view, &text->files[i]);
	if (text->note) {
		pen__end_line(&view.table.pen);
		write_note(&view, text->note);
	}
	pen__end_line(&view.table.pen);
	return ferror(out) ? text__stream_error(out) : 0;
}
