// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flame graph as a picture: from top to bottom title, facts, boxes, legend. The height depends
 * on the number of rows, and the first line must state it. Runs of frames narrower than a pixel are
 * grey, and are counted below the picture.
 *
 * If samples have states, the colour of a frame shows its most frequent state, and a strip along
 * its lower edge shows the shares of all states.
 *
 * A comparison has other colours, words and legend, and also suits a dark background. A box of it,
 * on one line:
 *
 *	<g class="box regressed">
 *	<title>sort (x) ...</title><rect .../><text ...>sort +98 %</text></g>
 */
#include <math.h>

#include "base/escape.h"
#include "base/middle.h"
#include "flame/colors.h"
#include "flame/flame.h"
#include "flame/layout.h"
#include "flame/overlay.h"
#include "flame/parts.h"
#include "flame/svg_text.h"
#include "profile/tree.h"

#define WIDTH	     1200
#define MARGIN	     12
#define GRAPH_WIDTH  (WIDTH - 2 * MARGIN)
#define HEAD_HEIGHT  54
#define FOOT_HEIGHT  34
#define ROW_HEIGHT   17
#define TITLE_SIZE   17
#define TEXT_INDENT  4
#define MIN_WIDTH    1.0
#define LEGEND_ROWS  6
#define LEGEND_LABEL 100
#define GREY	     0xe4e6ea
#define STRIP_HEIGHT 2
#define STATES_WIDTH 880 /* of the legend of states; the rest is for the number of omitted frames */

struct picture {
	FILE *out;
	const struct tree *tree;
	const struct flame_options *options;
	const struct overlay *overlay; /* NULL: not a comparison */
	struct wait_parts parts;
	struct layout layout;
	uint64_t all;
	char *text; /* the buffer of safe: a name made safe */
	size_t nr_text;
	FILE *safe;
};

/* ---- text ---- */

/*
 * Returns text that is safe to display, valid until the next call. Empty if out of memory, which
 * write_picture() reports.
 */
static const char *safe_text(struct picture *picture, const char *text)
{
	rewind(picture->safe);
	text__print_safe(picture->safe, text, 0);
	putc('\0', picture->safe);
	fflush(picture->safe);
	return picture->text ? picture->text : "";
}

static void print_safe(struct picture *picture, const char *text)
{
	text__print_xml(picture->out, safe_text(picture, text));
}

/* Prints as much as fits into room, at FONT_SIZE. */
static void print_fitted(struct picture *picture, const char *text, double room)
{
	const char *safe = safe_text(picture, text);
	size_t fits = svg_text__fit(safe, room);
	char *cut = xstrndup(safe, fits);

	text__print_xml(picture->out, cut);
	if (safe[fits])
		fputs("…", picture->out);
	free(cut);
}

static enum value shown_value(const struct picture *picture)
{
	return tree__metrics(picture->tree)->shown;
}

/* Prints a width's value: "12,345 samples", "1.5 s", "3 kB". */
static void print_value(struct picture *picture, uint64_t value)
{
	char text[128];

	metric__describe(metrics__shown(tree__metrics(picture->tree)), value, text, sizeof(text));
	print_safe(picture, text);
}

static double percent_of(const struct picture *picture, uint64_t value)
{
	return picture->all ? 100.0 * (double)value / (double)picture->all : 0;
}

/* ---- drawing ---- */

static int graph_height(const struct picture *picture)
{
	return (int)picture->layout.nr_rows * ROW_HEIGHT;
}

static int row_top(const struct picture *picture, uint32_t depth)
{
	return HEAD_HEIGHT + ((int)picture->layout.nr_rows - 1 - (int)depth) * ROW_HEIGHT;
}

static double width_of(const struct flame_box *box)
{
	return box->right - box->left;
}

static void print_name(struct picture *picture, const struct tree_name *name)
{
	char shortened[MIDDLE_SIZE];

	print_safe(picture, middle__shorten_function(name->text, MIDDLE_MOST, shortened));
	if (name->module && !name->process) {
		fputs(" (", picture->out);
		print_safe(picture, name->module);
		putc(')', picture->out);
	}
}

static void draw_title(struct picture *picture, const struct flame_box *box,
		       const struct tree_name *name, const struct wait_sums *sums)
{
	enum value value = shown_value(picture);

	fputs("<title>", picture->out);
	if (name)
		print_name(picture, name);
	else
		fputs("all", picture->out);
	fputs(": ", picture->out);
	print_value(picture, box->node.total[value]);
	fprintf(picture->out, ", %.2f%%; self ", percent_of(picture, box->node.total[value]));
	print_value(picture, box->node.self[value]);
	fprintf(picture->out, ", %.2f%%", percent_of(picture, box->node.self[value]));
	if (wait_sums__most(sums)) {
		putc('\n', picture->out);
		wait_sums__describe(sums, box->node.total[value], picture->out);
	}
	fputs("</title>", picture->out);
}

static void draw_label(struct picture *picture, const struct flame_box *box, const char *label,
		       bool is_white)
{
	double room = width_of(box) - 2 * TEXT_INDENT;
	char shortened[MIDDLE_SIZE];

	label = middle__shorten_function(label, MIDDLE_MOST, shortened);
	if (!svg_text__fit(safe_text(picture, label), room))
		return;
	fprintf(picture->out, "<text x=\"%.1f\" y=\"%d\"%s>", MARGIN + box->left + TEXT_INDENT,
		row_top(picture, box->node.depth) + ROW_HEIGHT - 5,
		is_white ? " fill=\"#fff\"" : "");
	print_fitted(picture, label, room);
	fputs("</text>", picture->out);
}

static void draw_rectangle(struct picture *picture, const struct flame_box *box, uint32_t color,
			   const char *more)
{
	double gap = width_of(box) > 3 ? 0.8 : 0;

	fprintf(picture->out,
		"<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"#%06x\"%s%s/>",
		MARGIN + box->left, row_top(picture, box->node.depth), width_of(box) - gap,
		ROW_HEIGHT - 1, color, width_of(box) > 8 ? " rx=\"2\"" : "", more);
}

static void draw_run(struct picture *picture, const struct flame_box *box)
{
	char count[64];

	text__format_count(count, sizeof(count), box->nr_hidden);
	fprintf(picture->out, "<g><title>%s frame%s too narrow to draw</title>", count,
		text__plural(box->nr_hidden));
	draw_rectangle(picture, box, GREY, "");
	fputs("</g>\n", picture->out);
}

/* Draws the shares of the states along the lower edge of a frame with several. */
static void draw_strip(struct picture *picture, const struct flame_box *box,
		       const struct wait_sums *sums)
{
	const uint64_t total = box->node.total[shown_value(picture)];
	const int y = row_top(picture, box->node.depth) + ROW_HEIGHT - 2 - STRIP_HEIGHT;
	double x = MARGIN + box->left;

	for (int state = 1; state < WAIT_STATES; state++) {
		const double width = width_of(box) * (double)sums->states[state] / (double)total;

		if (width >= MIN_WIDTH && sums->states[state] < total)
			fprintf(picture->out,
				"<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" "
				"fill=\"#%06x\"/>",
				x, y, width, STRIP_HEIGHT,
				color__of_state(state__style((enum wait_state)state), NULL));
		x += width;
	}
}

static void draw_frame(struct picture *picture, const struct flame_box *box,
		       const struct tree_name *name)
{
	const struct wait_sums sums = wait_parts__sum(&picture->parts, shown_value(picture),
						      box->node.first, box->node.end);
	const enum wait_state most = wait_sums__most(&sums);
	uint32_t color = GREY;

	if (name)
		color = most ? color__of_state(state__style(most), name) : color__of_name(name);
	fputs("<g>", picture->out);
	draw_title(picture, box, name, &sums);
	draw_rectangle(picture, box, color, "");
	if (name)
		draw_strip(picture, box, &sums);
	draw_label(picture, box, name ? name->text : "all", false);
	fputs("</g>\n", picture->out);
}

/* ---- boxes of a comparison ---- */

enum presence {
	ON_BOTH_SIDES,
	ONLY_NEW,
	ONLY_BASE,
};

static const struct presence_style {
	const char *name, *attributes;
} presences[] = {
	[ON_BOTH_SIDES] = {"", ""},
	[ONLY_NEW] = {" new", " stroke=\"#15181e\" stroke-width=\"1.5\""},
	[ONLY_BASE] = {" gone", " fill-opacity=\"0.35\" stroke=\"#5c6370\" stroke-width=\"1.5\" "
				"stroke-dasharray=\"3 2\""},
};

static void draw_compared(struct picture *picture, const struct flame_box *box,
			  const struct tree_name *name)
{
	const uint64_t *total = box->node.total;
	const double base = (double)total[OVERLAY_BASE] / OVERLAY_WHOLE;
	const double both = (double)total[OVERLAY_BOTH] / OVERLAY_WHOLE;
	const struct overlay_stack *told =
		overlay__find(picture->overlay, picture->tree, &box->node);
	const struct tone_style *style = tone__style(told ? told->tone : TONE_NONE);
	const bool is_changed = told && told->change;
	enum presence presence = ON_BOTH_SIDES;
	char *label;

	if (box->node.depth && !total[OVERLAY_BASE])
		presence = ONLY_NEW;
	else if (box->node.depth && total[OVERLAY_BASE] == total[OVERLAY_BOTH])
		presence = ONLY_BASE;
	fprintf(picture->out, "<g class=\"box %s%s\"><title>", style->name,
		presences[presence].name);
	if (name)
		print_name(picture, name);
	else
		fputs("all samples but the machine's", picture->out);
	fprintf(picture->out, "\n%.2f %% of base, %.2f %% of new", 100 * base, 100 * (both - base));
	if (told && told->words) {
		putc('\n', picture->out);
		print_safe(picture, told->words);
	}
	fputs("</title>", picture->out);
	draw_rectangle(picture, box, style->light, presences[presence].attributes);
	label = xasprintf("%s%s%s", name ? name->text : "all", is_changed ? " " : "",
			  is_changed ? told->change : "");
	draw_label(picture, box, label, style->is_strong && presence != ONLY_BASE);
	free(label);
	fputs("</g>\n", picture->out);
}

/* ---- head ---- */

/* Each colour has a replacement for dark mode. */
static void draw_canvas(struct picture *picture)
{
	int height = HEAD_HEIGHT + graph_height(picture) + FOOT_HEIGHT;

	fprintf(picture->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
		"sans-serif\" font-size=\"%d\" fill=\"#15181e\">\n",
		WIDTH, height, WIDTH, height, FONT_SIZE);
	if (picture->overlay) {
		fputs("<style>@media (prefers-color-scheme: dark) {\n"
		      "rect[fill=\"#fff\"] { fill: #14171c; }\n"
		      "text { fill: #e6e9ee; }\n"
		      "[fill=\"#5c6370\"] { fill: #98a1b0; }\n"
		      "[fill=\"#e4e6ea\"] { fill: #20252d; }\n"
		      "[stroke=\"#15181e\"] { stroke: #fff; }\n"
		      "[stroke=\"#5c6370\"] { stroke: #98a1b0; }\n",
		      picture->out);
		for (enum tone tone = 0; tone < TONES; tone++)
			fprintf(picture->out, "[fill=\"#%06x\"] { fill: #%06x; }\n",
				tone__style(tone)->light, tone__style(tone)->dark);
		fputs("}</style>\n", picture->out);
	}
	fprintf(picture->out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, height);
}

static void draw_head(struct picture *picture)
{
	const struct flame_options *options = picture->options;
	double room = GRAPH_WIDTH;

	/* Bold text is about a tenth wider. */
	fprintf(picture->out, "<text x=\"%d\" y=\"24\" font-size=\"%d\" font-weight=\"bold\">",
		MARGIN, TITLE_SIZE);
	print_fitted(picture, options->title ? options->title : "Flame graph",
		     room * FONT_SIZE / TITLE_SIZE * 0.9);
	fprintf(picture->out, "</text>\n<text x=\"%d\" y=\"42\" fill=\"#5c6370\">", MARGIN);
	if (!picture->overlay) {
		print_value(picture, picture->all);
		room -= 12 * FONT_SIZE;
	}
	for (size_t i = 0; i < options->nr_facts && room > 4 * FONT_SIZE; i++) {
		if (i || !picture->overlay)
			fputs(" · ", picture->out);
		print_fitted(picture, options->facts[i].text, room);
		room -= svg_text__width(safe_text(picture, options->facts[i].text)) + FONT_SIZE;
	}
	fputs("</text>\n", picture->out);
}

/* ---- the legend: modules of the leaves ---- */

struct group {
	const char *label;
	uint32_t color;
	uint64_t value;
};

static int compare_labels(const void *a, const void *b)
{
	return strcmp(((const struct group *)a)->label, ((const struct group *)b)->label);
}

static int compare_values(const void *va, const void *vb)
{
	const struct group *a = va, *b = vb;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return strcmp(a->label, b->label);
}

static void draw_swatch(struct picture *picture, double x, int y, uint32_t color, const char *more)
{
	fprintf(picture->out,
		"<rect x=\"%.1f\" y=\"%d\" width=\"10\" height=\"10\" rx=\"2\" fill=\"#%06x\"%s/>"
		"<text x=\"%.1f\" y=\"%d\">",
		x, y - 9, color, more, x + 15, y);
}

static void draw_group(struct picture *picture, const struct group *group, double *x, int y)
{
	draw_swatch(picture, *x, y, group->color, "");
	print_fitted(picture, group->label, LEGEND_LABEL);
	fprintf(picture->out, " <tspan fill=\"#5c6370\">%.1f%%</tspan></text>\n",
		percent_of(picture, group->value));
	*x += 70 + fmin(svg_text__width(safe_text(picture, group->label)), LEGEND_LABEL);
}

/* Makes a group for each stack by its leaf, merges equal groups, and draws the largest. */
static void draw_groups(struct picture *picture, int y)
{
	const struct tree *tree = picture->tree;
	size_t nr = tree__nr_stacks(tree), kept = 0;
	struct group *groups = xcalloc(nr + 1, sizeof(*groups));
	double x = MARGIN;

	for (size_t i = 0; i < nr; i++) {
		const struct tree_stack stack = tree__stack(tree, i);
		const struct tree_name *leaf = tree__name(tree, stack.names[stack.nr_names - 1]);
		const char *module = leaf->process ? NULL : leaf->module;

		groups[i] = (struct group){module	   ? module
					   : leaf->process ? "no frame"
							   : "no module",
					   color__of_module(module),
					   stack.values[shown_value(picture)]};
	}
	qsort(groups, nr, sizeof(*groups), compare_labels);
	for (size_t i = 0; i < nr; i++) {
		if (kept && !compare_labels(&groups[kept - 1], &groups[i]))
			groups[kept - 1].value += groups[i].value;
		else
			groups[kept++] = groups[i];
	}
	qsort(groups, kept, sizeof(*groups), compare_values);
	for (size_t i = 0; i < kept && i < LEGEND_ROWS; i++)
		draw_group(picture, &groups[i], &x, y);
	free(groups);
}

/* Draws the shares of states; and those of kinds of waits, which have no colours. */
static void draw_states(struct picture *picture, const struct wait_sums *sums, int y)
{
	double x = MARGIN;

	for (int state = 1; state < WAIT_STATES; state++) {
		const struct state_style *style = state__style((enum wait_state)state);

		if (sums->states[state])
			draw_group(picture,
				   &(struct group){style->label, color__of_state(style, NULL),
						   sums->states[state]},
				   &x, y);
	}
	for (int kind = 1; kind < WAIT_KINDS; kind++) {
		const char *label = wait_kind__name((enum wait_kind)kind);

		if (!sums->kinds[kind] || x > STATES_WIDTH)
			continue;
		fprintf(picture->out,
			"<text x=\"%.1f\" y=\"%d\">for %s <tspan fill=\"#5c6370\">%.1f%%</tspan>"
			"</text>\n",
			x, y, label, percent_of(picture, sums->kinds[kind]));
		x += 72 + svg_text__width(label);
	}
}

/* Explains tones, borders and dashes. */
static void draw_tones(struct picture *picture, int y)
{
	static const struct {
		enum tone tone;
		enum presence presence;
	} items[] = {
		{TONE_REGRESSED, 0},
		{TONE_IMPROVED, 0},
		{TONE_SLOWER, 0},
		{TONE_FASTER, 0},
		{TONE_MOVED, 0},
		{TONE_UNCHANGED, 0},
		{TONE_NONE, 0},
		{TONE_UNCHANGED, ONLY_NEW},
		{TONE_UNCHANGED, ONLY_BASE},
	};
	double x = MARGIN;

	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		const struct presence_style *presence = &presences[items[i].presence];
		const struct tone_style *style = tone__style(items[i].tone);
		const char *label = items[i].presence ? presence->name + 1 : style->label;

		draw_swatch(picture, x, y, style->light, presence->attributes);
		fprintf(picture->out, "%s</text>\n", label);
		x += 36 + svg_text__width(label);
	}
}

static void draw_foot(struct picture *picture)
{
	const struct wait_sums sums = wait_parts__sum(&picture->parts, shown_value(picture), 0,
						      tree__nr_stacks(picture->tree));
	int y = HEAD_HEIGHT + graph_height(picture) + 22;
	char count[64];

	if (picture->overlay)
		draw_tones(picture, y);
	else if (wait_sums__most(&sums))
		draw_states(picture, &sums, y);
	else
		draw_groups(picture, y);
	if (picture->layout.nr_hidden) {
		text__format_count(count, sizeof(count), picture->layout.nr_hidden);
		fprintf(picture->out,
			"<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#5c6370\">"
			"%s frame%s narrower than a pixel not drawn</text>\n",
			WIDTH - MARGIN, y, count, text__plural(picture->layout.nr_hidden));
	}
	fputs("</svg>\n", picture->out);
}

/* Takes over the tree. profile: the tree's, or NULL. */
static int write_picture(struct picture *picture, struct tree *tree, const struct profile *profile)
{
	int code;

	picture->safe = xmemstream(&picture->text, &picture->nr_text);
	picture->tree = tree;
	picture->all = tree__root(tree).total[shown_value(picture)];
	layout__init(&picture->layout, tree, GRAPH_WIDTH, MIN_WIDTH);
	if (profile)
		wait_parts__add(&picture->parts, tree, profile);

	draw_canvas(picture);
	draw_head(picture);
	for (size_t i = 0; i < picture->layout.nr_boxes; i++) {
		const struct flame_box *box = &picture->layout.boxes[i];
		const struct tree_name *name =
			box->node.depth ? tree__name(tree, box->node.name) : NULL;

		if (box->nr_hidden)
			draw_run(picture, box);
		else
			(picture->overlay ? draw_compared : draw_frame)(picture, box, name);
	}
	draw_foot(picture);
	code = ferror(picture->safe) ? -ENOMEM : text__stream_error(picture->out);
	fclose(picture->safe);
	free(picture->text);
	layout__fini(&picture->layout);
	wait_parts__free(&picture->parts);
	tree__free(tree);
	return code;
}

int flame__write_svg(FILE *out, const struct profile *profile, const struct flame_options *options)
{
	struct picture picture = {.out = out, .options = options};

	return write_picture(&picture, tree__new(profile, options->merge, TREE_FROM_ROOT), profile);
}

int overlay__write_svg(FILE *out, struct overlay *overlay, const struct flame_options *options)
{
	struct picture picture = {.out = out, .options = options, .overlay = overlay};

	return write_picture(&picture, overlay__tree(overlay), NULL);
}
