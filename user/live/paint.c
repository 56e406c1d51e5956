// SPDX-License-Identifier: GPL-2.0-only
#include "live/paint.h"

#include "views/pen.h"
#include "views/summary.h"

#define WIDE_FROM    140 /* columns: the stack is beside the table */
#define STACK_FROM   14	 /* lines of the main area: the stack is below the table */
#define LEAST_HEADER 3

/* ---- what goes where ---- */

struct areas {
	size_t header; /* lines */
	struct area main, stack;
	bool has_stack, is_beside;
};

static void divide(struct areas *areas, const struct live *live, size_t nr_columns)
{
	struct area *main = &areas->main;
	size_t nr_lines = main->end - main->first;
	bool flames = live->selection.view == VIEW_FLAMES;

	areas->stack = *main;
	if (nr_columns >= WIDE_FROM && !flames && nr_lines > 4) {
		areas->has_stack = areas->is_beside = true;
		main->stop = nr_columns * 3 / 5;
		areas->stack.start = main->stop + 3;
	} else if (nr_lines >= STACK_FROM) {
		areas->has_stack = true;
		main->end -= nr_lines / 3;
		areas->stack.first = main->end;
	}
}

static void lay_out(struct areas *areas, const struct canvas *canvas, const struct live *live)
{
	size_t header = paint__header_lines(live, canvas->nr_lines);

	*areas = (struct areas){.header = header};
	areas->main = (struct area){.first = header + 1,
				    .end = canvas->nr_lines - 1,
				    .start = 0,
				    .stop = canvas->nr_columns};
	if (areas->main.first >= areas->main.end)
		areas->main.first = areas->main.end = canvas->nr_lines;
}

/* ---- */

static void paint_gutter(struct canvas *canvas, const struct areas *areas)
{
	for (size_t line = areas->main.first; line < areas->main.end; line++) {
		struct pen pen =
			pen__on_canvas(canvas, line, areas->main.stop + 1, areas->main.stop + 2);

		pen__text(&pen, STYLE_DIM, "│");
	}
}

static void paint_silence(struct pen *pen, const struct interval *interval)
{
	char text[128];

	summary__explain_silence(interval, text, sizeof(text));
	pen__text(pen, STYLE_DIM, text);
}

static void paint_nothing(struct canvas *canvas, const struct area *area, const struct live *live,
			  const struct ui *ui)
{
	struct pen pen = pen__on_canvas(canvas, area->first + 1, area->start + 2, area->stop);

	if (!live->picture)
		pen__format(&pen, STYLE_DIM, "the first picture comes after %g s", ui->interval_s);
	else if (live__whole(live))
		pen__text(&pen, STYLE_DIM, "no sample is let through; Esc shows more");
	else
		paint_silence(&pen, &live->picture->interval);
}

static void paint_main(struct canvas *canvas, const struct areas *areas, struct live *live,
		       struct ui *ui)
{
	if (!live->picture || !live__let_through(live)) {
		if (!live->nr_rows) {
			paint_nothing(canvas, &areas->main, live, ui);
			return;
		}
	}
	if (live->selection.view == VIEW_FLAMES)
		paint__flames(canvas, &areas->main, live);
	else
		paint__table(canvas, &areas->main, live);
	if (areas->has_stack)
		paint__stack(canvas, &areas->stack, live, ui, false);
	if (areas->is_beside)
		paint_gutter(canvas, areas);
}

int paint__screen(struct canvas *canvas, struct live *live, struct ui *ui)
{
	struct areas areas;
	struct area whole;
	size_t nr_rows;
	int code;

	lay_out(&areas, canvas, live);
	whole = areas.main;
	divide(&areas, live, canvas->nr_columns);
	nr_rows = areas.main.end - areas.main.first;
	code = live__resize(live, nr_rows > 1 ? nr_rows - (live->selection.view != VIEW_FLAMES) : 1,
			    (uint32_t)canvas->nr_columns);
	if (code)
		return code;
	canvas__clear(canvas);
	paint__header(canvas, live, ui, areas.header);
	paint__views(canvas, areas.header, live);
	if (ui->shows_help)
		paint__help(canvas, &whole, ui);
	else if (ui->shows_detail)
		paint__stack(canvas, &whole, live, ui, true);
	else
		paint_main(canvas, &areas, live, ui);
	paint__footer(canvas, canvas->nr_lines - 1, live, ui);
	return 0;
}
