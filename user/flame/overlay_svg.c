// SPDX-License-Identifier: GPL-2.0-only
/*
 * The picture: two lines of text, boxes with the root below, a legend. Colours are in flame.css,
 * by the class of a box, for light and dark surroundings. data-x and data-w are a box's place of
 * 1, from which the page's script draws it anew when it zooms.
 *
 *	<g class="box regressed" data-x="0.1" data-w="0.2" data-d="3" data-label="sort +98 %">
 *	 <title>sort (x) ...</title><rect .../><text ...>sort +98 %</text></g>
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "diff/rows.h"
#include "flame/overlay.h"
#include "flame/svg_text.h"

#define WIDTH	    1200
#define MARGIN	    12
#define GRAPH_WIDTH (WIDTH - 2 * MARGIN)
#define HEAD_HEIGHT 52
#define FOOT_HEIGHT 34
#define ROW_HEIGHT  17
#define TEXT_INDENT 4

extern const char _binary_user_flame_page_overlay_css_start[],
	_binary_user_flame_page_overlay_css_end[];

/* ---- words ---- */

static bool says_change(const struct flame_box *box)
{
	return box->tone >= TONE_REGRESSED || box->share[SIDE_BASE] == 0 ||
	       box->share[SIDE_NEW] == 0;
}

/* "sort +98 %", safe; the caller's to free(). NULL: out of memory. */
static char *make_label(const struct flame_box *box, const struct diff_report *report)
{
	struct unit_row row;
	char *name, *label = NULL;
	int length;

	if (box->unit == SIZE_MAX)
		return strdup("all");
	name = text__safe_copy(match__unit(report->match, box->unit).name);
	if (!name || !says_change(box))
		return name;
	row = unit_row__of(report, box->unit);
	length = asprintf(&label, "%s %s", name, row.change);
	free(name);
	return length < 0 ? NULL : label;
}

static void print_title(FILE *out, const struct flame_box *box, const struct diff_report *report)
{
	struct match_unit shown = match__unit(report->match, box->unit);
	struct unit_row row = unit_row__of(report, box->unit);

	text__print_xml(out, shown.name);
	if (shown.module) {
		fputs(" (", out);
		text__print_xml(out, shown.module);
		fputs(")", out);
	}
	fprintf(out, "\n%.2f %% of base, %.2f %% of new", 100 * box->share[SIDE_BASE],
		100 * box->share[SIDE_NEW]);
	fprintf(out, "\n%s", row.verdict);
	if (row.finding->untested == TESTED)
		fprintf(out, ": %s%s%s%s", row.change, row.interval[0] ? " (" : "", row.interval,
			row.interval[0] ? ")" : "");
	if (row.remark[0])
		fprintf(out, "; %s", row.remark);
}

/* ---- boxes ---- */

static int row_top(const struct flame *flame, uint32_t depth)
{
	return HEAD_HEIGHT + (int)(flame->nr_rows - 1 - depth) * ROW_HEIGHT;
}

static const char *presence_of(const struct flame_box *box)
{
	if (box->unit == SIZE_MAX)
		return "";
	return box->share[SIDE_BASE] == 0 ? " new" : box->share[SIDE_NEW] == 0 ? " gone" : "";
}

static void draw_label(FILE *out, const struct flame *flame, const struct flame_box *box,
		       const char *label)
{
	double left = MARGIN + box->left * GRAPH_WIDTH;
	size_t fits = svg_text__fit(label, box->width * GRAPH_WIDTH - 2 * TEXT_INDENT);
	char *cut = strndup(label, fits);

	fprintf(out, "<text x=\"%.1f\" y=\"%d\">", left + TEXT_INDENT,
		row_top(flame, box->depth) + ROW_HEIGHT - 5);
	if (cut && fits) {
		text__print_xml(out, cut);
		fputs(label[fits] ? "…" : "", out);
	}
	fputs("</text>", out);
	free(cut);
}

static int draw_box(FILE *out, const struct flame *flame, const struct flame_box *box,
		    const struct diff_report *report)
{
	double left = MARGIN + box->left * GRAPH_WIDTH, width = box->width * GRAPH_WIDTH;
	char *label = make_label(box, report);

	if (!label)
		return -ENOMEM;
	fprintf(out,
		"<g class=\"box %s%s\" data-x=\"%.6f\" data-w=\"%.6f\" data-d=\"%u\" "
		"data-label=\"",
		tone__name(box->tone), presence_of(box), box->left, box->width, box->depth);
	text__print_xml(out, label);
	fputs("\"><title>", out);
	if (box->unit == SIZE_MAX)
		fputs("all samples but the machine's", out);
	else
		print_title(out, box, report);
	fprintf(out, "</title><rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" rx=\"2\"/>",
		left, row_top(flame, box->depth), width > 3 ? width - 0.8 : width, ROW_HEIGHT - 1);
	draw_label(out, flame, box, label);
	fputs("</g>\n", out);
	free(label);
	return 0;
}

/* ---- head and foot ---- */

static int draw_head(FILE *out, const struct diff_report *report)
{
	char *summary = rows__summary(report), *rest = summary, *line;

	if (!summary)
		return -ENOMEM;
	line = strsep(&rest, "\n");
	fprintf(out, "<text class=\"head\" x=\"%d\" y=\"22\">", MARGIN);
	text__print_xml(out, line);
	fprintf(out, "</text>\n<text class=\"soft\" x=\"%d\" y=\"40\">", MARGIN);
	for (line = strsep(&rest, "\n"); line && strncmp(line, "base:", 5);)
		line = strsep(&rest, "\n");
	fputs("width: mean share of both sides; colour: of the box with all above it", out);
	if (line) {
		fputs("; ", out);
		text__print_xml(out, line);
	}
	fputs("</text>\n", out);
	free(summary);
	return 0;
}

static void draw_foot(FILE *out, const struct flame *flame)
{
	static const struct {
		const char *class, *text;
	} items[] = {
		{"regressed", "regressed"},   {"improved", "improved"},
		{"slower", "perhaps slower"}, {"faster", "perhaps faster"},
		{"moved", "moved"},	      {"unchanged", "no sign of a change"},
		{"none", "not judged"},	      {"unchanged new", "new"},
		{"unchanged gone", "gone"},
	};
	int y = HEAD_HEIGHT + (int)flame->nr_rows * ROW_HEIGHT + 20;
	double x = MARGIN;

	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		fprintf(out,
			"<g class=\"key %s\"><rect x=\"%.1f\" y=\"%d\" width=\"12\" height=\"12\" "
			"rx=\"2\"/><text x=\"%.1f\" y=\"%d\">%s</text></g>\n",
			items[i].class, x, y - 10, x + 17, y, items[i].text);
		x += 36 + svg_text__width(items[i].text);
	}
	if (flame->nr_hidden)
		fprintf(out,
			"<text class=\"soft\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%zu narrower "
			"box%s not drawn</text>\n",
			WIDTH - MARGIN, y, flame->nr_hidden, flame->nr_hidden == 1 ? "" : "es");
}

static void put(FILE *out, const char *start, const char *end)
{
	fwrite(start, 1, (size_t)(end - start), out);
}

int flame__draw(FILE *out, const struct flame *flame, const struct diff_report *report)
{
	int height = HEAD_HEIGHT + (int)flame->nr_rows * ROW_HEIGHT + FOOT_HEIGHT, err;

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" width=\"%d\" "
		"height=\"%d\" viewBox=\"0 0 %d %d\">\n<style>\n",
		WIDTH, height, WIDTH, height);
	put(out, _binary_user_flame_page_overlay_css_start,
	    _binary_user_flame_page_overlay_css_end);
	fprintf(out, "</style>\n<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", WIDTH,
		height);
	err = draw_head(out, report);
	for (size_t i = 0; i < flame->nr_boxes && !err; i++)
		err = draw_box(out, flame, &flame->boxes[i], report);
	draw_foot(out, flame);
	fputs("</svg>\n", out);
	return err;
}
