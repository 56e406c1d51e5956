// SPDX-License-Identifier: GPL-2.0-only
/*
 *	     %  SAMPLES  COMMAND       STACK, leaf ← callers
 *	  34.2      169  redis-server  do_syscall_64 [k] ← epoll_wait ← aeApiPoll ← aeMain ← main
 *
 *	SELF %  TOTAL %  FUNCTION
 *	  34.2     41.0  epoll_wait (libc.so.6)
 *
 * Percentages are of all samples of the profile, shown or not.
 */
#include "views/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "views/values.h"

#define ARROW	      " ← "
#define ARROW_COLUMNS 3
#define MORE	      " …"
#define MORE_COLUMNS  2
#define LEAST_NAME    8 /* columns: less of a name is not worth showing */
#define LEAST_CALLER  (2 * ARROW_COLUMNS + 1 + LEAST_NAME + MORE_COLUMNS)
#define MOST_NAME     32 /* columns that any name may have */

#define COUNT_HEADING "SAMPLES"
#define COMM_HEADING  "COMMAND"
#define GAP	      2

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

static const char *comm_of(const struct tables *tables, const struct row *row)
{
	return dictionary__process(tables->dictionary, row->process)->comm;
}

static const char *count_heading(const struct tables *tables)
{
	return tables->options.value_name ? tables->options.value_name : COUNT_HEADING;
}

static void fit_columns(struct tables *tables)
{
	char count[32];

	tables->count_columns = text__width(count_heading(tables));
	tables->comm_columns = strlen(COMM_HEADING);
	for (size_t i = 0; i < tables->nr_rows; i++) {
		const struct row *row = &tables->rows[i];
		int length = value__format(count, sizeof(count), row->values[tables->options.value],
					   tables->options.value_unit);

		tables->count_columns = max_size(tables->count_columns, (size_t)length);
		tables->comm_columns =
			max_size(tables->comm_columns, text__width(comm_of(tables, row)));
	}
}

static double percent(const struct tables *tables, uint64_t count)
{
	uint64_t whole = tables->options.whole ? tables->options.whole : tables->total;

	return whole ? 100.0 * (double)count / (double)whole : 0;
}

/* Of the rows, which are sorted, those that reach the limit. */
static size_t count_above(const struct tables *tables, size_t nr_rows)
{
	size_t nr = 0;

	while (nr < nr_rows && percent(tables, tables->rows[nr].values[tables->options.value]) >=
				       tables->options.percent_limit)
		nr++;
	return nr;
}

int tables__init(struct tables *tables, const struct interval *interval,
		 const struct view_options *options, size_t nr_functions)
{
	const struct profile *profile = interval->profile;
	long nr;

	*tables = (struct tables){.dictionary = profile__dictionary(profile),
				  .options = *options,
				  .total = profile__total(profile, options->value)};
	nr = profile__top_stacks(profile, options->merge, options->value, options->nr_rows,
				 &tables->rows);
	if (nr < 0)
		return (int)nr;
	tables->nr_rows = count_above(tables, (size_t)nr);
	nr = profile__top_functions(profile, options->value, nr_functions, &tables->functions);
	if (nr < 0) {
		tables__fini(tables);
		return (int)nr;
	}
	tables->nr_functions = (size_t)nr;
	fit_columns(tables);
	return 0;
}

void tables__fini(struct tables *tables)
{
	free(tables->rows);
	free(tables->functions);
	tables->rows = NULL;
	tables->functions = NULL;
}

/* ---- frames ---- */

static const struct kind {
	const char *tag;
	enum style style;
} kinds[FRAME_KINDS] = {
	[FRAME_USER] = {"", STYLE_PLAIN},
	[FRAME_KERNEL] = {" [k]", STYLE_KERNEL},
	[FRAME_JIT] = {" [j]", STYLE_JIT},
	[FRAME_INLINED] = {" [i]", STYLE_PLAIN},
};

/* The name with its tag. If it has to be cut, the tag and kept columns behind it are not. */
static void write_name(struct line *line, const char *name, const struct kind *kind, size_t kept)
{
	size_t beside = strlen(kind->tag) + kept;
	struct line part = *line;

	if (line->columns != UNBOUNDED && line__left(line) > beside)
		part.columns -= beside;
	line__text(&part, kind->style, name);
	line->used = part.used;
	line__text(line, kind->style, kind->tag);
}

/*
 * "libc.so.6+0x1234" and "[heap]" say their module already; "[kernel]" is what [k] says, and
 * "[anon]", where most code made at run time is, what [j] says.
 */
static bool says_module(const char *name, const char *module, enum frame_kind kind)
{
	size_t length = strlen(module);

	if (!strncmp(name, module, length) && (name[length] == '+' || name[length] == '\0'))
		return true;
	return !strcmp(module, kind == FRAME_JIT ? "[anon]" : "[kernel]");
}

/* "copy_from_user [k]", "nft_do_chain [k] (nf_tables)", "epoll_wait (libc.so.6)" */
void tables__write_name(struct line *line, const char *name, const char *module,
			enum frame_kind kind)
{
	write_name(line, name, &kinds[kind], 0);
	if (module && !says_module(name, module, kind))
		line__format(line, STYLE_DIM, " (%s)", module);
}

/* "scan (lexer.c:123)": its directories are left to other outputs. */
static void write_line(struct line *line, const struct frame *frame)
{
	const char *slash = strrchr(frame->file, '/');

	line__text(line, STYLE_DIM, " (");
	line__text(line, STYLE_DIM, slash && slash[1] ? slash + 1 : frame->file);
	if (frame->line)
		line__format(line, STYLE_DIM, ":%" PRIu32, frame->line);
	line__text(line, STYLE_DIM, ")");
}

static const uint32_t *frames_of(const struct tables *tables, size_t row, size_t *nr_frames)
{
	return dictionary__stack(tables->dictionary, tables->rows[row].stack, nr_frames);
}

size_t tables__nr_frames(const struct tables *tables, size_t row)
{
	size_t nr_frames;

	frames_of(tables, row, &nr_frames);
	return nr_frames ? nr_frames : 1;
}

void tables__frame(const struct tables *tables, struct line *line, size_t row, size_t index)
{
	size_t nr_frames;
	const uint32_t *frames = frames_of(tables, row, &nr_frames);
	const struct frame *frame;
	bool with_line;

	if (!nr_frames) {
		line__text(line, STYLE_DIM, "[no stack]");
		return;
	}
	frame = dictionary__frame(tables->dictionary, frames[index]);
	with_line = tables->options.lines && frame->file;
	tables__write_name(line, dictionary__frame_name(tables->dictionary, frames[index]),
			   with_line ? NULL : frame->module, frame__shown_kind(frame));
	if (with_line)
		write_line(line, frame);
}

/* ---- the table of stacks ---- */

static void write_ids(const struct tables *tables, struct line *line, const struct row *row)
{
	const struct process *process = dictionary__process(tables->dictionary, row->process);

	if (!tables->options.pids)
		return;
	line__format(line, STYLE_PLAIN, "%7" PRId32 "  ", process->pid);
	if (tables->options.merge == MERGE_BY_THREAD)
		line__format(line, STYLE_PLAIN, "%7" PRId32 "  ", row->tid);
}

void tables__stacks_heading(const struct tables *tables, struct line *line)
{
	size_t comm_column;

	line__format(line, STYLE_DIM, "%5s  %*s  ", "%", (int)tables->count_columns,
		     count_heading(tables));
	if (tables->options.pids)
		line__format(line, STYLE_DIM, "%7s  ", "PID");
	if (tables->options.pids && tables->options.merge == MERGE_BY_THREAD)
		line__format(line, STYLE_DIM, "%7s  ", "TID");
	comm_column = line->used;
	line__text(line, STYLE_DIM, COMM_HEADING);
	line__pad(line, comm_column + tables->comm_columns + GAP);
	line__text(line, STYLE_DIM, "STACK, leaf" ARROW "callers");
}

static void write_numbers(const struct tables *tables, struct line *line, const struct row *row)
{
	char count[32];

	value__format(count, sizeof(count), row->values[tables->options.value],
		      tables->options.value_unit);
	line__format(line, STYLE_BOLD, "%5.1f",
		     percent(tables, row->values[tables->options.value]));
	line__format(line, STYLE_PLAIN, "  %*s  ", (int)tables->count_columns, count);
	write_ids(tables, line, row);
}

void tables__owner(const struct tables *tables, struct line *line, size_t row)
{
	write_numbers(tables, line, &tables->rows[row]);
	line__text(line, STYLE_PLAIN, comm_of(tables, &tables->rows[row]));
}

/* A stack on one line. */
struct summary {
	const struct tables *tables;
	struct line *line;
	const uint32_t *frames;
	size_t nr_frames;
};

static const struct kind *kind_of(const struct summary *summary, size_t frame)
{
	return &kinds[frame__shown_kind(
		dictionary__frame(summary->tables->dictionary, summary->frames[frame]))];
}

static const char *name_of(const struct summary *summary, size_t frame)
{
	return dictionary__frame_name(summary->tables->dictionary, summary->frames[frame]);
}

/* No name may take more than this, so that one long name leaves something for its callers. */
static size_t most_of_a_name(const struct line *line)
{
	return max_size(line->columns / 3, MOST_NAME);
}

/*
 * Writes one frame, with the arrow before it, and keeps room for " …" as long as others follow.
 * False: there is no room for the next one, which can be seen.
 */
static bool write_short_frame(const struct summary *summary, size_t frame)
{
	const struct kind *kind = kind_of(summary, frame);
	struct line *line = summary->line;
	size_t width = min_size(text__width(name_of(summary, frame)), most_of_a_name(line));
	size_t tag = strlen(kind->tag), kept = frame + 1 < summary->nr_frames ? MORE_COLUMNS : 0;
	struct line part;
	bool fits;

	if (frame > 0) {
		if (line__left(line) < ARROW_COLUMNS + min_size(width, LEAST_NAME) + tag + kept) {
			line__text(line, STYLE_DIM, MORE);
			return false;
		}
		line__text(line, STYLE_DIM, ARROW);
	}
	fits = width + tag + kept <= line__left(line);
	part = *line;
	if (fits)
		part.columns = line->used + width + tag;
	write_name(&part, name_of(summary, frame), kind, fits ? 0 : kept);
	line->used = part.used;
	if (!fits && tag && kept) /* a name without a tag ends in "…" itself */
		line__text(line, STYLE_DIM, MORE);
	return fits;
}

/* Columns of the frames from first to before end, arrows between them included. */
static size_t width_of(const struct summary *summary, size_t first, size_t end)
{
	size_t width = 0;

	for (size_t i = first; i < end && width < summary->line->columns; i++)
		width += text__width(name_of(summary, i)) + strlen(kind_of(summary, i)->tag) +
			 (i > first ? ARROW_COLUMNS : 0);
	return width;
}

/*
 * Where a stack does not fit, the way through the kernel leaves half the room to who called it:
 * "tcp_sendmsg [k] ← … ← write ← connSocketWrite". Returns how many of nr_kernel frames to write.
 */
static size_t kernel_frames_kept(const struct summary *summary, size_t nr_kernel)
{
	size_t room = line__left(summary->line);
	size_t kept = 1;

	if (nr_kernel < 3 || nr_kernel == summary->nr_frames ||
	    width_of(summary, 0, summary->nr_frames) <= room)
		return nr_kernel;
	while (kept < nr_kernel && width_of(summary, 0, kept + 1) <= room / 2)
		kept++;
	if (width_of(summary, 0, kept) + LEAST_CALLER > room)
		return nr_kernel;
	return kept;
}

static void write_summary(const struct summary *summary)
{
	size_t nr_kernel = 0, kept;

	while (nr_kernel < summary->nr_frames &&
	       kind_of(summary, nr_kernel) == &kinds[FRAME_KERNEL])
		nr_kernel++;
	kept = kernel_frames_kept(summary, nr_kernel);
	for (size_t i = 0; i < summary->nr_frames; i++) {
		if (i == kept && i < nr_kernel) {
			line__text(summary->line, STYLE_DIM, ARROW "…");
			i = nr_kernel;
		}
		if (!write_short_frame(summary, i))
			return;
	}
}

void tables__stack(const struct tables *tables, struct line *line, size_t index)
{
	const struct row *row = &tables->rows[index];
	size_t nr_frames, comm_column;
	const uint32_t *frames = frames_of(tables, index, &nr_frames);

	write_numbers(tables, line, row);
	comm_column = line->used;
	line__text(line, STYLE_PLAIN, comm_of(tables, row));
	line__pad(line, comm_column + tables->comm_columns + GAP);
	if (!nr_frames)
		line__text(line, STYLE_DIM, "[no stack]");
	else
		write_summary(&(struct summary){tables, line, frames, nr_frames});
}

/* ---- the table of functions ---- */

void tables__functions_heading(const struct tables *tables, struct line *line)
{
	(void)tables;
	line__text(line, STYLE_DIM, "SELF %  TOTAL %  FUNCTION");
}

void tables__function(const struct tables *tables, struct line *line, size_t index)
{
	const struct function_row *row = &tables->functions[index];

	line__format(line, STYLE_BOLD, "%6.1f", percent(tables, row->self));
	line__format(line, STYLE_PLAIN, "%9.1f  ", percent(tables, row->total));
	tables__write_name(line, row->function, row->module, row->kind);
}
