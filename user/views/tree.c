// SPDX-License-Identifier: GPL-2.0-only
/*
 *	TOTAL %   SELF %
 *	  100.0      0.0  redis-server → _start → main → aeMain → aeProcessEvents
 *	   60.1      2.0    readQueryFromClient → processInputBuffer
 *	   30.2     30.2      lookupKey
 *	   20.0      0.4    epoll_wait → do_syscall_64 [k]
 *
 * A line is a chain of nodes that all have the same total. If there is no room for all names, those
 * in the middle are left out. The branches of the last node follow, indented, the hottest first.
 * Branches below the limit are hidden; one line counts them for the whole subtree of an outermost
 * row.
 */

#include "views/name.h"
#include "views/tables.h"

#define ARROW	      " → "
#define ARROW_COLUMNS 3
#define GAP	      ARROW "…"
#define GAP_COLUMNS   4
#define MARK_COLUMNS  4 /* of " [k]" */
#define INDENT	      2
#define MOST_INDENT   120 /* columns; deeper branches are not indented further */
#define LEAST_NAME    32  /* columns that a long name has at least */

struct drawing {
	struct table table;
	const struct tree *tree;
	size_t nr_left;		 /* rows that may still be written */
	struct tree_node *chain; /* current chain, from its first node to the last */
	size_t nr_nodes, capacity;
	size_t most_name; /* columns that a name in it may have */
	size_t subtree;	  /* index in pending of the line that counts hidden branches */
};

/* A stack of branches to draw; the last one is next. */
struct pending {
	struct branch {
		struct tree_node node;
		size_t indent;
		size_t nr_hidden; /* of the line that counts hidden branches; 0: not drawn */
		uint64_t hidden;  /* sum of their totals */
	} * branches;
	size_t nr_branches, capacity;
};

static uint64_t total_of(const struct drawing *drawing, const struct tree_node *node)
{
	return node->total[tree__metrics(drawing->tree)->shown];
}

static void push(struct pending *pending, const struct branch *branch)
{
	array__reserve(&pending->branches, &pending->capacity, pending->nr_branches + 1);
	pending->branches[pending->nr_branches++] = *branch;
}

/*
 * Sorts the coldest first, so that the hottest is drawn next; equal ones by name, whose ids are
 * sorted.
 */
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

/*
 * Pushes the line that counts the hidden branches of a subtree. It is pushed first, so that it is
 * drawn last.
 */
static void begin_subtree(struct drawing *drawing, struct pending *pending, size_t indent)
{
	drawing->subtree = pending->nr_branches;
	push(pending, &(struct branch){.indent = indent});
}

static void push_children(struct drawing *drawing, struct pending *pending,
			  const struct tree_node *parent, size_t indent)
{
	size_t first = pending->nr_branches;
	struct branch branch = {.indent = indent};
	bool more;

	for (more = tree__first_child(drawing->tree, parent, &branch.node); more;
	     more = tree__next_child(drawing->tree, parent, &branch.node)) {
		const uint64_t total = total_of(drawing, &branch.node);
		struct branch *line = &pending->branches[drawing->subtree];

		if (table__percent(&drawing->table, total) >=
		    drawing->table.options->percent_limit) {
			push(pending, &branch);
			continue;
		}
		line->nr_hidden++;
		line->hidden = sum_of(line->hidden, total);
	}
	qsort_r(pending->branches + first, pending->nr_branches - first, sizeof(*pending->branches),
		order_branches, drawing);
}

static uint64_t self_of(const struct drawing *drawing, const struct tree_node *node)
{
	return node->self[tree__metrics(drawing->tree)->shown];
}

static size_t width_of(const struct drawing *drawing, size_t node)
{
	const struct tree_name *name = tree__name(drawing->tree, drawing->chain[node].name);

	return name__width(name->text, name->process ? FRAME_USER : name->kind, drawing->most_name);
}

/* How many nodes at the start, and at the end, of a chain are written beside a gap. */
struct kept_nodes {
	size_t first, last;
};

/* The width of the chain if names have at most so many columns. */
static size_t width_of_all(struct drawing *drawing, size_t most)
{
	const size_t room = pen__left(&drawing->table.pen);
	size_t width = 0;

	drawing->most_name = most;
	for (size_t i = 0; i < drawing->nr_nodes && width <= room; i++)
		width += width_of(drawing, i) + (i ? ARROW_COLUMNS : 0);
	return width;
}

/* Keeps the ends of a chain, each in at most half of the room. */
static struct kept_nodes fit_ends(struct drawing *drawing, size_t room)
{
	const size_t nr = drawing->nr_nodes, joints = ARROW_COLUMNS + (nr > 2 ? GAP_COLUMNS : 0);
	struct kept_nodes kept = {.first = 1, .last = 1};
	size_t used = width_of(drawing, 0) + joints + width_of(drawing, nr - 1);

	if (used > room)
		drawing->most_name =
			room > joints + 2 * MARK_COLUMNS ? (room - joints) / 2 - MARK_COLUMNS : 1;
	while (kept.first + kept.last < nr - 1) {
		const bool is_first = kept.first <= kept.last;

		used += ARROW_COLUMNS +
			width_of(drawing, is_first ? kept.first : nr - 1 - kept.last);
		if (used > room)
			break;
		*(is_first ? &kept.first : &kept.last) += 1;
	}
	return kept;
}

/* Writes whole names if they fit, else shorter ones, else fewer. */
static void write_chain(struct drawing *drawing)
{
	struct pen *pen = &drawing->table.pen;
	const size_t room = pen__left(pen);
	const size_t most = room / 3 > LEAST_NAME ? room / 3 : LEAST_NAME;
	struct kept_nodes kept = {.first = drawing->nr_nodes};

	if (width_of_all(drawing, room) > room && drawing->nr_nodes > 1 &&
	    width_of_all(drawing, most) > room)
		kept = fit_ends(drawing, room);
	for (size_t i = 0; i < drawing->nr_nodes; i++) {
		const struct tree_name *name;
		struct pen part;
		size_t width;

		if (i == kept.first && i < drawing->nr_nodes - kept.last) {
			pen__text(pen, STYLE_DIM, GAP);
			i = drawing->nr_nodes - kept.last;
		}
		pen__text(pen, STYLE_DIM, i ? ARROW : "");
		name = tree__name(drawing->tree, drawing->chain[i].name);
		width = width_of(drawing, i);
		part = *pen;
		if (width < pen__left(pen))
			part.end = pen->column + width;
		if (name->process)
			pen__text(&part, STYLE_BOLD, name->text);
		else
			name__write(&part, name->text, NULL, name->kind);
		pen->column = part.column;
	}
}

static size_t indent_of(const struct drawing *drawing, const struct branch *branch)
{
	const size_t third = pen__left(&drawing->table.pen) / 3;
	const size_t most = third < MOST_INDENT ? third : MOST_INDENT;

	return branch->indent < most ? branch->indent : most;
}

/*
 * Draws the chain that starts at the branch; drawing->chain then ends with the node whose children
 * follow.
 */
static void draw_chain(struct drawing *drawing, const struct branch *branch)
{
	const struct tree_node *first = &branch->node, *last;
	const int indent = (int)indent_of(drawing, branch);
	struct tree_node node = *first, child;

	for (drawing->nr_nodes = 0;; node = child) {
		array__reserve(&drawing->chain, &drawing->capacity, drawing->nr_nodes + 1);
		drawing->chain[drawing->nr_nodes++] = node;
		if (self_of(drawing, &node) || !tree__first_child(drawing->tree, &node, &child) ||
		    total_of(drawing, &child) != total_of(drawing, &node))
			break;
	}
	last = &drawing->chain[drawing->nr_nodes - 1];
	pen__format(&drawing->table.pen, STYLE_BOLD, "%7.1f",
		    table__percent(&drawing->table, total_of(drawing, first)));
	table__write_error(&drawing->table, (struct portion){(double)total_of(drawing, first),
							     first->total_squares});
	pen__format(&drawing->table.pen, STYLE_PLAIN, "  %7.1f",
		    table__percent(&drawing->table, self_of(drawing, last)));
	table__write_error(&drawing->table,
			   (struct portion){(double)self_of(drawing, last), last->self_squares});
	pen__format(&drawing->table.pen, STYLE_PLAIN, "  %*s", indent, "");
	write_chain(drawing);
	pen__end_line(&drawing->table.pen);
}

static void draw_hidden(struct drawing *drawing, const struct branch *branch)
{
	if (!branch->nr_hidden)
		return;
	pen__format(&drawing->table.pen, STYLE_DIM, "%*s%*s… %zu more, %s %g %%, together %.1f %%",
		    drawing->table.has_errors ? 30 : 18, "", (int)indent_of(drawing, branch), "",
		    branch->nr_hidden, branch->nr_hidden == 1 ? "below" : "each below",
		    drawing->table.options->percent_limit,
		    table__percent(&drawing->table, branch->hidden));
	pen__end_line(&drawing->table.pen);
}

int view__write_tree(FILE *out, const struct recording *interval,
		     const struct view_options *options, enum tree_direction direction)
{
	struct tree *tree = tree__new(interval->profile, options->merge, direction);
	struct drawing drawing = {.nr_left = options->nr_rows, .tree = tree};
	const struct tree_node root = tree__root(tree);
	struct pen *pen = &drawing.table.pen;
	struct pending pending = {0};

	table__begin(&drawing.table, out, interval, options);
	begin_subtree(&drawing, &pending, 0);
	push_children(&drawing, &pending, &root, 0);
	pen__text(pen, STYLE_DIM, "TOTAL %");
	table__write_error_heading(&drawing.table);
	pen__text(pen, STYLE_DIM, "   SELF %");
	table__write_error_heading(&drawing.table);
	pen__end_line(pen);
	while (pending.nr_branches) {
		struct branch branch = pending.branches[--pending.nr_branches];

		if (!branch.node.depth) {
			draw_hidden(&drawing, &branch);
			continue;
		}
		if (!drawing.nr_left--) {
			pen__text(pen, STYLE_DIM, "… more rows: raise -n");
			pen__end_line(pen);
			break;
		}
		draw_chain(&drawing, &branch);
		if (!branch.indent)
			begin_subtree(&drawing, &pending, INDENT);
		push_children(&drawing, &pending, &drawing.chain[drawing.nr_nodes - 1],
			      branch.indent + INDENT);
	}
	free(pending.branches);
	free(drawing.chain);
	tree__free(tree);
	return text__stream_error(out);
}
