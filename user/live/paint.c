// SPDX-License-Identifier: GPL-2.0-only
#include "live/paint.h"

#include <math.h>

#include "live/live.h"
#include "run/interval_clock.h"
#include "views/pen.h"
#include "views/summary.h"

#define WIDE_FROM    140 /* columns: from here on, the stack is beside the table */
#define STACK_FROM   14	 /* lines of the main pane: from here on, the stack is below the table */
#define LEAST_HEADER 3

/* ---- layout ---- */

struct panes {
	size_t header; /* number of lines */
	struct pane main, stack;
	bool has_stack, is_beside;
};

static void divide(struct panes *panes, const struct live *live, size_t nr_columns)
{
	struct pane *main = &panes->main;
	size_t nr_lines = main->end - main->first;
	bool flames = live->selection.view == VIEW_FLAMES;

	panes->stack = *main;
	if (nr_columns >= WIDE_FROM && !flames && nr_lines > 4) {
		panes->has_stack = panes->is_beside = true;
		main->stop = nr_columns * 3 / 5;
		panes->stack.start = main->stop + 3;
	} else if (nr_lines >= STACK_FROM) {
		panes->has_stack = true;
		main->end -= nr_lines / 3;
		panes->stack.first = main->end;
	}
}

static void lay_out(struct panes *panes, const struct canvas *canvas, const struct live *live)
{
	size_t header = paint__header_lines(live, canvas->nr_lines);

	*panes = (struct panes){.header = header};
	panes->main = (struct pane){.first = header + 1,
				    .end = canvas->nr_lines - 1,
				    .start = 0,
				    .stop = canvas->nr_columns};
	if (panes->main.first >= panes->main.end)
		panes->main.first = panes->main.end = canvas->nr_lines;
}

/* ---- */

static void paint_gutter(struct canvas *canvas, const struct panes *panes)
{
	for (size_t line = panes->main.first; line < panes->main.end; line++) {
		struct pen pen =
			pen__on_canvas(canvas, line, panes->main.stop + 1, panes->main.stop + 2);

		pen__text(&pen, STYLE_DIM, "│");
	}
}

static void paint_silence(struct pen *pen, const struct recording *interval)
{
	char text[128];

	summary__explain_silence(interval, text, sizeof(text));
	pen__text(pen, STYLE_DIM, text);
}

static void paint_nothing(struct canvas *canvas, const struct pane *pane, const struct live *live,
			  const struct ui *ui)
{
	struct pen pen = pen__on_canvas(canvas, pane->first + 1, pane->start + 2, pane->stop);

	if (!live->picture)
		pen__format(&pen, STYLE_DIM, "the first picture comes after %g s",
			    fmin(ui->interval_s, FIRST_INTERVAL_S));
	else if (live__whole(live))
		pen__text(&pen, STYLE_DIM, "no sample is let through; Esc shows more");
	else
		paint_silence(&pen, &live->picture->recording);
}

static void paint_main(struct canvas *canvas, const struct panes *panes, struct live *live,
		       struct ui *ui)
{
	if (!live->picture || !live__let_through(live)) {
		if (!live->nr_rows) {
			paint_nothing(canvas, &panes->main, live, ui);
			return;
		}
	}
	live->table_columns = panes->main.stop - panes->main.start;
	if (live->selection.view == VIEW_FLAMES)
		paint__flames(canvas, &panes->main, live);
	else
		paint__table(canvas, &panes->main, live);
	if (panes->has_stack)
		paint__stack(canvas, &panes->stack, live, ui, false);
	if (panes->is_beside)
		paint_gutter(canvas, panes);
}

int paint__screen(struct canvas *canvas, struct live *live, struct ui *ui)
{
	struct panes panes;
	struct pane whole;
	size_t nr_rows;
	int code;

	lay_out(&panes, canvas, live);
	whole = panes.main;
	divide(&panes, live, canvas->nr_columns);
	nr_rows = panes.main.end - panes.main.first;
	code = live__resize(live, nr_rows > 1 ? nr_rows - (live->selection.view != VIEW_FLAMES) : 1,
			    (uint32_t)canvas->nr_columns);
	if (code)
		return code;
	canvas__clear(canvas);
	paint__header(canvas, live, ui, panes.header);
	paint__views(canvas, panes.header, live);
	if (ui->shows_help)
		paint__help(canvas, &whole, ui);
	else if (ui->shows_detail)
		paint__stack(canvas, &whole, live, ui, true);
	else
		paint_main(canvas, &panes, live, ui);
	paint__footer(canvas, canvas->nr_lines - 1, live, ui);
	return 0;
}
