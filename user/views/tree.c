// SPDX-License-Identifier: GPL-2.0-only
/*
 *	TOTAL %   SELF %
 *	  100.0      0.0  redis-server → _start → main → aeMain → aeProcessEvents
 *	   60.1      2.0    readQueryFromClient → processInputBuffer
 *	   30.2     30.2      lookupKey
 *	   20.0      0.4    epoll_wait → do_syscall_64 [k]
 *
 * A line is a chain: nodes of which each has all of what the one before has. Branches are indented
 * below, the hottest first; those below the limit are counted.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"
#include "views/name.h"
#include "views/tables.h"

#define ARROW	    " → "
#define INDENT	    2
#define MOST_INDENT 120 /* columns; deeper branches stay there */

struct drawing {
	struct table table;
	const struct tree *tree;
	size_t nr_left; /* rows */
};

/* Nodes that wait to be drawn, the next one last. */
struct pending {
	struct branch {
		struct tree_node node;
		size_t indent;
		size_t nr_hidden; /* not 0: a line that says so, without a node */
	} * branches;
	size_t nr_branches, capacity;
};

static uint64_t total_of(const struct drawing *drawing, const struct tree_node *node)
{
	return node->total[tree__metrics(drawing->tree)->shown];
}

static int push(struct pending *pending, const struct branch *branch)
{
	if (array__reserve(&pending->branches, &pending->capacity, pending->nr_branches + 1))
		return -ENOMEM;
	pending->branches[pending->nr_branches++] = *branch;
	return 0;
}

/* Coldest first, so that the hottest is taken next; equal ones by name, which is their number. */
static int order_branches(const void *left, const void *right, void *context)
{
	const struct drawing *drawing = context;
	const struct tree_node *a = &((const struct branch *)left)->node;
	const struct tree_node *b = &((const struct branch *)right)->node;
	uint64_t total_a = total_of(drawing, a), total_b = total_of(drawing, b);

	if (total_a != total_b)
		return (total_a > total_b) - (total_a < total_b);
	return (a->name < b->name) - (a->name > b->name);
}

/* What is below the limit is one line after the others, so it is pushed first. */
static int push_children(struct drawing *drawing, struct pending *pending,
			 const struct tree_node *parent, size_t indent)
{
	size_t first = pending->nr_branches + 1;
	struct branch branch = {.indent = indent}, hidden = {.indent = indent};
	int code = push(pending, &hidden);
	bool more;

	for (more = tree__first_child(drawing->tree, parent, &branch.node); more && !code;
	     more = tree__next_child(drawing->tree, parent, &branch.node)) {
		if (table__percent(&drawing->table, total_of(drawing, &branch.node)) <
		    drawing->table.options->percent_limit)
			pending->branches[first - 1].nr_hidden++;
		else
			code = push(pending, &branch);
	}
	if (!code)
		qsort_r(pending->branches + first, pending->nr_branches - first,
			sizeof(*pending->branches), order_branches, drawing);
	return code;
}

static void write_node(struct drawing *drawing, const struct tree_node *node)
{
	const struct tree_name *name = tree__name(drawing->tree, node->name);

	if (name->process)
		pen__text(&drawing->table.pen, STYLE_BOLD, name->text);
	else
		name__write(&drawing->table.pen, name->text, NULL, name->kind);
}

static uint64_t self_of(const struct drawing *drawing, const struct tree_node *node)
{
	return node->self[tree__metrics(drawing->tree)->shown];
}

/* The last node of the chain that begins here. */
static struct tree_node end_of_chain(const struct drawing *drawing, struct tree_node node)
{
	struct tree_node child;

	while (!self_of(drawing, &node) && tree__first_child(drawing->tree, &node, &child) &&
	       total_of(drawing, &child) == total_of(drawing, &node))
		node = child;
	return node;
}

static struct tree_node draw_chain(struct drawing *drawing, const struct branch *branch)
{
	struct tree_node node = branch->node, last = end_of_chain(drawing, node);
	size_t indent = branch->indent < MOST_INDENT ? branch->indent : MOST_INDENT;

	pen__format(&drawing->table.pen, STYLE_BOLD, "%7.1f",
		    table__percent(&drawing->table, total_of(drawing, &node)));
	pen__format(&drawing->table.pen, STYLE_PLAIN, "  %7.1f  %*s",
		    table__percent(&drawing->table, self_of(drawing, &last)), (int)indent, "");
	write_node(drawing, &node);
	while (node.depth < last.depth) {
		tree__first_child(drawing->tree, &node, &node);
		pen__text(&drawing->table.pen, STYLE_DIM, ARROW);
		write_node(drawing, &node);
	}
	pen__end_line(&drawing->table.pen);
	return last;
}

static void draw_hidden(struct drawing *drawing, const struct branch *branch)
{
	size_t indent = branch->indent < MOST_INDENT ? branch->indent : MOST_INDENT;

	if (!branch->nr_hidden)
		return;
	pen__format(&drawing->table.pen, STYLE_DIM, "%18s%*s… %zu more, each below %g %%", "",
		    (int)indent, "", branch->nr_hidden, drawing->table.options->percent_limit);
	pen__end_line(&drawing->table.pen);
}

static int draw(struct drawing *drawing)
{
	const struct tree_node root = tree__root(drawing->tree);
	struct pending pending = {0};
	int code = push_children(drawing, &pending, &root, 0);

	pen__text(&drawing->table.pen, STYLE_DIM, "TOTAL %   SELF %");
	pen__end_line(&drawing->table.pen);
	while (!code && pending.nr_branches) {
		struct branch branch = pending.branches[--pending.nr_branches];
		struct tree_node last;

		if (!branch.node.depth) {
			draw_hidden(drawing, &branch);
			continue;
		}
		if (!drawing->nr_left--) {
			pen__text(&drawing->table.pen, STYLE_DIM, "… more rows: raise -n");
			pen__end_line(&drawing->table.pen);
			break;
		}
		last = draw_chain(drawing, &branch);
		code = push_children(drawing, &pending, &last, branch.indent + INDENT);
	}
	free(pending.branches);
	return code;
}

int view__write_tree(FILE *out, const struct recording *interval,
		     const struct view_options *options, enum tree_direction direction)
{
	struct drawing drawing = {
		.table = table__begin(out, interval, options),
		.nr_left = options->nr_rows,
	};
	struct tree *tree = tree__new(interval->profile, options->merge, direction);
	int code;

	if (!tree)
		return -ENOMEM;
	drawing.tree = tree;
	code = draw(&drawing);
	tree__free(tree);
	return code ? code : text__stream_error(out);
}
