// SPDX-License-Identifier: GPL-2.0-only
#include "live/paint.h"

#include "flame/colors.h"
#include "live/live.h"
#include "profile/owner.h"
#include "views/name.h"
#include "views/pen.h"

/* ---- flames ---- */

static enum style shade_of(const struct tree_name *name)
{
	enum style first =
		!name->process && name->kind == FRAME_KERNEL ? STYLE_FLAME_KERNEL : STYLE_FLAME;

	return first + (enum style)(color__of_name(name) % FLAME_SHADES);
}

void paint__flames(struct canvas *canvas, const struct pane *pane, const struct live *live)
{
	for (size_t i = 0; i < live->nr_boxes; i++) {
		const struct live_box *box = &live->boxes[i];
		const struct tree_name *name = tree__name(live->tree, box->name);
		size_t line = box->depth - 1 - live->top + pane->first;
		size_t start = pane->start + box->start, width = box->end - box->start;
		const char *text = name->text;
		struct fitted_name fitted;
		struct pen pen;

		if (box->depth - 1 < live->top || line >= pane->end)
			continue;
		if (width > 1)
			width--; /* a gap separates neighbours, also without colours */
		pen = pen__on_canvas(canvas, line, start, start + width);
		if (!name->process)
			text = name__fit(text, width, &fitted);
		if (width > 3)
			pen__text(&pen, shade_of(name), text);
		pen__pad(&pen, shade_of(name), pen.end);
		if (i == live->cursor)
			canvas__mark(canvas, line, start, start + width);
	}
}

/* ---- the stack ---- */

#define COMMAND_PART 3 /* a command line takes at most this part of the lines */

struct stack_pane {
	struct canvas *canvas;
	const struct pane *pane;
	const struct live *live;
	const struct dictionary *dictionary;
	struct hottest_stack hottest;
};

/* True if the row or the stack belongs to a single process. */
static bool is_of_process(const struct live *live)
{
	const struct selection *selection = &live->selection;

	return selection->merge != MERGE_BY_COMM ||
	       (selection->view == VIEW_PROCESSES && selection->owners != MERGE_BY_COMM);
}

/*
 * "29.8 %  shares" for a row of the stacks view; for others
 * "44.2 %  main: its hottest stack, 68 % of it, shares"; with "…, mostly lock" for waits.
 */
static void paint_stack_title(const struct stack_pane *stack)
{
	const struct pane *pane = stack->pane;
	const struct hottest_stack *hottest = &stack->hottest;
	struct pen pen = pen__on_canvas(stack->canvas, pane->first, pane->start, pane->stop);
	const struct live *live = stack->live;
	const enum merge merge = live->selection.merge;
	const bool is_process = live->selection.view == VIEW_PROCESSES;
	const struct process *process =
		dictionary__process(stack->dictionary, hottest->sample.process);
	struct owner_text owner;
	const char *name = live->selection.view == VIEW_FLAMES
				   ? tree__name(live->tree, live->boxes[live->cursor].name)->text
				   : live->rows[live->cursor].name;

	pen__format(&pen, STYLE_HEADING, "%6.1f %%  ", live__percent(live, hottest->whole));
	if (name) {
		pen__text(&pen, STYLE_HEADING, name);
		pen__format(&pen, STYLE_HEADING, ": its hottest stack, %.0f %% of it",
			    100 * (double)hottest->count / (double)hottest->whole);
	}
	if (name && !is_process)
		pen__text(&pen, STYLE_HEADING, ", ");
	if (!name || !is_process) {
		owner__format(&owner, process, merge == MERGE_BY_THREAD ? hottest->sample.tid : 0,
			      sample__thread(&hottest->sample, stack->dictionary));
		pen__text(&pen, STYLE_HEADING, merge == MERGE_BY_COMM ? process->comm : owner.text);
	}
	if (*wait__describe(hottest->sample.wait))
		pen__format(&pen, STYLE_HEADING, ", mostly %s",
			    wait__describe(hottest->sample.wait));
	pen__pad(&pen, STYLE_HEADING, pane->stop);
}

/* Writes as much of it as fits. Returns the number of lines. */
static size_t paint_command_line(const struct stack_pane *stack, size_t nr_lines)
{
	const char *rest =
		dictionary__process(stack->dictionary, stack->hottest.sample.process)->command_line;
	const struct pane *pane = stack->pane;
	size_t line = 0;

	for (; rest && *rest && line < nr_lines; line++) {
		struct pen pen = pen__on_canvas(stack->canvas, pane->first + 1 + line,
						pane->start + 2, pane->stop);
		char shown[TEXT_SHOWN_SIZE];
		size_t columns;

		if (line + 1 == nr_lines) {
			pen__text(&pen, STYLE_DIM, rest);
			continue;
		}
		while (*rest) {
			const size_t length = text__next(rest, shown, &columns);

			if (columns > pen__left(&pen))
				break;
			pen__text(&pen, STYLE_DIM, shown);
			rest += length;
		}
	}
	return line;
}

static void paint_frames(const struct stack_pane *stack, size_t line, size_t first)
{
	const struct dictionary *dictionary = stack->dictionary;
	const struct pane *pane = stack->pane;
	size_t nr_frames;
	const uint32_t *frames =
		dictionary__stack(dictionary, stack->hottest.sample.stack, &nr_frames);

	for (size_t i = first; i < nr_frames && line < pane->end; i++, line++) {
		const struct frame *frame = dictionary__frame(dictionary, frames[i]);
		struct pen pen = pen__on_canvas(stack->canvas, line, pane->start + 2, pane->stop);

		if (line + 1 == pane->end && i + 1 < nr_frames) {
			pen__format(&pen, STYLE_DIM, "… %zu more", nr_frames - i);
			return;
		}
		name__write(&pen, dictionary__frame_name(dictionary, frames[i]), frame->module,
			    frame__shown_kind(frame));
		if (frame->file && frame->line && pen__left(&pen) > 4)
			pen__format(&pen, STYLE_DIM, "  %s:%u", frame->file, frame->line);
	}
}

void paint__stack(struct canvas *canvas, const struct pane *pane, struct live *live, struct ui *ui,
		  bool whole)
{
	struct row_place place = live__place(live);
	struct stack_pane stack = {.canvas = canvas, .pane = pane, .live = live};
	size_t nr_frames, nr_lines = 1, room = pane->end - pane->first;

	if (place.id == ROW_ID_NONE || room < 2 || !live__hottest(live, &place, &stack.hottest))
		return;
	stack.dictionary = profile__dictionary(live->profile);
	dictionary__stack(stack.dictionary, stack.hottest.sample.stack, &nr_frames);
	paint_stack_title(&stack);
	if ((whole || live->selection.view == VIEW_PROCESSES) && is_of_process(live))
		nr_lines += paint_command_line(&stack, room / COMMAND_PART);
	room -= nr_lines;
	if (whole) {
		ui->page = room;
		ui->most_scrolled = nr_frames > room ? nr_frames - room : 0;
		if (ui->scrolled > ui->most_scrolled)
			ui->scrolled = ui->most_scrolled;
	}
	paint_frames(&stack, pane->first + nr_lines, whole ? ui->scrolled : 0);
}

/* ---- help ---- */

static const char *const rules[] = {
	"",
	"The hottest rows stand first. Counts are random, so a row",
	"passes another one only if it has more than chance would",
	"give it: now, or in the decaying sum of the intervals so",
	"far. s sorts by that sum at once.",
	"Rows of one sample are folded into a last one,",
	"and waits for work into a first one: Enter opens it.",
	"CHANGE is in percent points, dim where it may be chance.",
	"PAST is CPU use, a bar an interval; new: in none of them.",
};

#define NR_RULES (sizeof(rules) / sizeof(rules[0]))

void paint__help(struct canvas *canvas, const struct pane *pane, struct ui *ui)
{
	size_t nr_keys, nr = 0, room = pane->end - pane->first, last;
	const struct key_row *keys = keys__all(&nr_keys);

	for (size_t i = 0; i < nr_keys; i++)
		nr += keys[i].label != NULL;
	nr += NR_RULES;
	ui->page = room > 1 ? room - 1 : 1;
	ui->most_scrolled = nr > room ? nr - room : 0;
	if (ui->scrolled > ui->most_scrolled)
		ui->scrolled = ui->most_scrolled;
	last = ui->scrolled + room - (ui->scrolled < ui->most_scrolled);
	nr = 0;
	for (size_t i = 0; i < nr_keys + NR_RULES; i++) {
		struct pen pen;

		if ((i < nr_keys && !keys[i].label) || nr++ < ui->scrolled || nr > last)
			continue;
		pen = pen__on_canvas(canvas, pane->first + nr - 1 - ui->scrolled, 2, pane->stop);
		if (i < nr_keys) {
			pen__text(&pen, STYLE_KEY, keys[i].label);
			pen__pad(&pen, STYLE_PLAIN, 15);
			pen__text(&pen, STYLE_PLAIN, keys[i].help);
		} else {
			pen__text(&pen, STYLE_DIM, rules[i - nr_keys]);
		}
	}
	if (room && ui->scrolled < ui->most_scrolled) {
		struct pen pen = pen__on_canvas(canvas, pane->end - 1, 2, pane->stop);

		pen__format(&pen, STYLE_BOLD, "%zu more lines: ↓ or PgDn",
			    ui->most_scrolled - ui->scrolled + 1);
	}
}
