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
	size_t header;			/* number of lines */
	struct pane whole, main, stack; /* whole: what main and stack share */
	bool has_stack, is_beside;
};

static void lay_out(struct panes *panes, const struct canvas *canvas, const struct live *live)
{
	const bool is_flames = live->selection.view == VIEW_FLAMES;
	struct pane *main = &panes->main;
	size_t nr_lines;

	*panes = (struct panes){.header = paint__header_lines(live, canvas->nr_lines)};
	*main = (struct pane){.first = panes->header + 1,
			      .end = canvas->nr_lines - 1,
			      .stop = canvas->nr_columns};
	if (main->first >= main->end)
		main->first = main->end = canvas->nr_lines;
	panes->whole = panes->stack = *main;
	nr_lines = main->end - main->first;
	if (canvas->nr_columns >= WIDE_FROM && !is_flames && nr_lines > 4) {
		panes->has_stack = panes->is_beside = true;
		main->stop = canvas->nr_columns * 3 / 5;
		panes->stack.start = main->stop + 3;
	} else if (nr_lines >= STACK_FROM) {
		panes->has_stack = true;
		main->end -= nr_lines / 3;
		panes->stack.first = main->end;
	}
}

static void paint_nothing(struct canvas *canvas, const struct pane *pane, const struct live *live,
			  const struct ui *ui)
{
	struct pen pen = pen__on_canvas(canvas, pane->first + 1, pane->start + 2, pane->stop);
	char text[128];

	if (!live->picture) {
		pen__format(&pen, STYLE_DIM, "the first picture comes after %g s",
			    fmin(ui->interval_s, FIRST_INTERVAL_S));
	} else if (live__whole(live)) {
		pen__text(&pen, STYLE_DIM, "no sample is let through; Esc shows more");
	} else {
		summary__explain_silence(&live->picture->recording, text, sizeof(text));
		pen__text(&pen, STYLE_DIM, text);
	}
}

static void paint_main(struct canvas *canvas, const struct panes *panes, struct live *live,
		       struct ui *ui)
{
	const struct pane *main = &panes->main;

	if ((!live->picture || !live__let_through(live)) && !live->nr_rows) {
		paint_nothing(canvas, main, live, ui);
		return;
	}
	live->table_columns = main->stop - main->start;
	if (live->selection.view == VIEW_FLAMES)
		paint__flames(canvas, main, live);
	else
		paint__table(canvas, main, live);
	if (panes->has_stack)
		paint__stack(canvas, &panes->stack, live, ui, false);
	for (size_t line = main->first; panes->is_beside && line < main->end; line++) {
		struct pen pen = pen__on_canvas(canvas, line, main->stop + 1, main->stop + 2);

		pen__text(&pen, STYLE_DIM, "│");
	}
}

int paint__screen(struct canvas *canvas, struct live *live, struct ui *ui)
{
	struct panes panes;
	size_t nr_rows;
	int code;

	lay_out(&panes, canvas, live);
	nr_rows = panes.main.end - panes.main.first;
	code = live__resize(live, nr_rows > 1 ? nr_rows - (live->selection.view != VIEW_FLAMES) : 1,
			    (uint32_t)canvas->nr_columns);
	if (code)
		return code;
	canvas__clear(canvas);
	paint__header(canvas, live, ui, panes.header);
	paint__views(canvas, panes.header, live);
	if (ui->shows_help)
		paint__help(canvas, &panes.whole, ui);
	else if (ui->shows_detail)
		paint__stack(canvas, &panes.whole, live, ui, true);
	else
		paint_main(canvas, &panes, live, ui);
	paint__footer(canvas, canvas->nr_lines - 1, live, ui);
	return 0;
}
