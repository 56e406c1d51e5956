// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths to boxes. Siblings stand in the order of their names, which is the same whatever changed.
 */
#include "flame/overlay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

/* A path that has samples; index 0 is the root of all. */
struct node {
	size_t unit;
	struct match_unit path;
	size_t child, sibling;
	double share[SIDES];
};

struct forest {
	struct node *nodes;
	size_t nr;
};

const char *tone__name(enum tone tone)
{
	static const char *const names[TONES] = {
		[TONE_NONE] = "none",		[TONE_UNCHANGED] = "unchanged",
		[TONE_SLOWER] = "slower",	[TONE_FASTER] = "faster",
		[TONE_REGRESSED] = "regressed", [TONE_IMPROVED] = "improved",
		[TONE_MOVED] = "moved",
	};

	return names[tone];
}

/* Nothing is said about what is within chance, or too little to matter. */
static enum tone tone_of_unsure(const struct finding *finding)
{
	if (finding->low > 1 && finding->log_ratio >= finding->floor_up)
		return TONE_SLOWER;
	if (finding->high < 1 && -finding->log_ratio >= finding->floor_down)
		return TONE_FASTER;
	return TONE_UNCHANGED;
}

static enum tone tone_of(const struct diff_report *report, size_t unit)
{
	const struct finding *finding = &report->decision->findings[unit];

	if (report->outcome->moved[unit] != SIZE_MAX)
		return TONE_MOVED;
	if (finding->verdict == VERDICT_REGRESSED)
		return TONE_REGRESSED;
	if (finding->verdict == VERDICT_IMPROVED)
		return TONE_IMPROVED;
	if (finding->untested != TESTED)
		return TONE_NONE;
	if (finding->verdict == VERDICT_UNCHANGED || finding->share_only)
		return TONE_UNCHANGED;
	return tone_of_unsure(finding);
}

/* All that is below a path, or what ends there if nothing is; nothing that is only the machine's. */
static bool has_box(const struct match *match, size_t unit)
{
	const struct unit *counted = &match__comparison(match)->units[unit];

	return counted->kind == UNIT_TOTAL ||
	       (match__unit(match, unit).twin == NONE && !counted->machine);
}

/* By name, the last one first, for each is put before those that are there. */
static int compare_nodes(const void *left, const void *right)
{
	const struct match_unit *a = &((const struct node *)left)->path;
	const struct match_unit *b = &((const struct node *)right)->path;
	int order = strcmp(b->name, a->name);

	return order ? order : strcmp(b->module ? b->module : "", a->module ? a->module : "");
}

static void set_shares(struct node *node, const struct decision *decision)
{
	for (enum side side = 0; side < SIDES; side++)
		node->share[side] = decision->samples[side] > 0
					    ? decision->findings[node->unit].samples[side] /
						      decision->samples[side]
					    : 0;
}

static void collect_nodes(struct forest *forest, const struct diff_report *report)
{
	forest->nodes[0] = (struct node){.unit = NONE, .child = NONE, .sibling = NONE};
	forest->nr = 1;
	for (size_t u = 0; u < report->decision->nr_units; u++) {
		struct node *node = &forest->nodes[forest->nr];

		if (!has_box(report->match, u))
			continue;
		*node = (struct node){u, match__unit(report->match, u), NONE, NONE, {0}};
		set_shares(node, report->decision);
		forest->nr++;
	}
	qsort(forest->nodes + 1, forest->nr - 1, sizeof(*forest->nodes), compare_nodes);
}

/* Without a parent that has samples, as only the machine's have: at the root. */
static void link_nodes(struct forest *forest, const size_t *node_of_unit)
{
	for (size_t i = 1; i < forest->nr; i++) {
		size_t unit = forest->nodes[i].path.parent;
		struct node *above = &forest->nodes[unit == NONE ? 0 : node_of_unit[unit]];

		forest->nodes[i].sibling = above->child;
		above->child = i;
	}
	for (enum side side = 0; side < SIDES; side++) {
		double *sum = &forest->nodes[0].share[side];

		for (size_t i = forest->nodes[0].child; i != NONE; i = forest->nodes[i].sibling)
			*sum += forest->nodes[i].share[side];
	}
}

static int forest__init(struct forest *forest, const struct diff_report *report)
{
	size_t *node_of_unit = calloc(report->decision->nr_units + 1, sizeof(*node_of_unit));
	int err = -ENOMEM;

	forest->nodes = calloc(report->decision->nr_units + 1, sizeof(*forest->nodes));
	if (forest->nodes && node_of_unit) {
		collect_nodes(forest, report);
		for (size_t i = 1; i < forest->nr; i++)
			node_of_unit[forest->nodes[i].unit] = i;
		link_nodes(forest, node_of_unit);
		err = 0;
	}
	free(node_of_unit);
	return err;
}

static double width_of(const struct node *node)
{
	return (node->share[SIDE_BASE] + node->share[SIDE_NEW]) / SIDES;
}

/* The children of box i, which are boxes if they are wide enough; row after row. */
static void add_children(struct flame *flame, const struct forest *forest, size_t *node_of_box,
			 size_t i, double min_width, const struct diff_report *report)
{
	double left = flame->boxes[i].left;

	for (size_t n = forest->nodes[node_of_box[i]].child; n != NONE;
	     n = forest->nodes[n].sibling) {
		const struct node *node = &forest->nodes[n];
		double width = width_of(node);
		struct flame_box *box = &flame->boxes[flame->nr_boxes];

		if (width >= min_width) {
			*box = (struct flame_box){
				.unit = node->unit,
				.depth = flame->boxes[i].depth + 1,
				.left = left,
				.width = width,
				.share = {node->share[SIDE_BASE], node->share[SIDE_NEW]},
				.tone = tone_of(report, node->unit),
			};
			flame->nr_rows = box->depth + 1;
			node_of_box[flame->nr_boxes++] = n;
		}
		left += width;
	}
}

static void lay_out(struct flame *flame, const struct forest *forest, size_t *node_of_box,
		    double min_width, const struct diff_report *report)
{
	const struct node *root = &forest->nodes[0];

	flame->boxes[0] = (struct flame_box){
		.unit = NONE,
		.width = width_of(root),
		.share = {root->share[SIDE_BASE], root->share[SIDE_NEW]},
	};
	flame->nr_boxes = flame->nr_rows = 1;
	for (size_t i = 0; i < flame->nr_boxes; i++)
		add_children(flame, forest, node_of_box, i, min_width, report);
	flame->nr_hidden = forest->nr - flame->nr_boxes;
}

int flame__init(struct flame *flame, const struct diff_report *report, double min_width)
{
	struct forest forest = {0};
	size_t *node_of_box = NULL;
	int err = forest__init(&forest, report);

	*flame = (struct flame){0};
	if (!err) {
		flame->boxes = calloc(forest.nr, sizeof(*flame->boxes));
		node_of_box = calloc(forest.nr, sizeof(*node_of_box));
		err = flame->boxes && node_of_box ? 0 : -ENOMEM;
	}
	if (!err)
		lay_out(flame, &forest, node_of_box, min_width, report);
	free(node_of_box);
	free(forest.nodes);
	return err;
}

void flame__fini(struct flame *flame)
{
	free(flame->boxes);
	*flame = (struct flame){0};
}
