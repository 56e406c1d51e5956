// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tree as a sorted list of stacks, each a row of name ids:
 *
 *	names          shared  before
 *	sshd main         0       0      the stack that ends at a node precedes those that go on
 *	sshd main read    2      10
 *	sshd main write   2      70
 *	(end)                   100
 *
 * Neighbours differ (equal ones were added up), so at most one stack ends at a node. `before` holds
 * running sums: the total of any run of stacks is one subtraction. They are wide enough not to
 * overflow; a total that does not fit its 64 bits is the largest that does, as in a profile.
 */
#include "profile/tree.h"

struct line {
	size_t start; /* of its names in items */
	uint32_t nr_names;
	uint32_t shared;
	uint64_t values[VALUES];
	double squares;
	unsigned __int128 before[VALUES]; /* the values of all lines before it */
	double squares_before;
	size_t nodes_before;
};

struct tree {
	struct metrics metrics;
	struct tree_names names;
	uint32_t *items;
	struct line *lines; /* nr_lines + 1: the last one holds the sums */
	size_t nr_lines;
	uint32_t max_depth;
};

static uint32_t count_shared(const struct tree *tree, const struct line *a, const struct line *b)
{
	const uint32_t *x = tree->items + a->start, *y = tree->items + b->start;
	uint32_t length = a->nr_names < b->nr_names ? a->nr_names : b->nr_names;
	uint32_t i = 0;

	while (i < length && x[i] == y[i])
		i++;
	return i;
}

static int compare_lines(const void *va, const void *vb, void *tree_pointer)
{
	const struct line *a = va, *b = vb;
	const struct tree *tree = tree_pointer;
	uint32_t shared = count_shared(tree, a, b);

	if (shared < a->nr_names && shared < b->nr_names)
		return tree->items[a->start + shared] < tree->items[b->start + shared] ? -1 : 1;
	return (a->nr_names > b->nr_names) - (a->nr_names < b->nr_names);
}

/*
 * Writes the names of a sample's stack. The dictionary's stacks are leaf first; the process is the
 * caller of the outermost frame.
 */
static void fill_line(struct tree *tree, struct line *line, const struct profile *profile,
		      const struct sample *sample, enum tree_direction direction)
{
	size_t nr_frames;
	const uint32_t *frames =
		dictionary__stack(profile__dictionary(profile), sample->stack, &nr_frames);
	uint32_t *items = tree->items + line->start;

	for (size_t i = 0; i < nr_frames; i++) {
		size_t at = direction == TREE_FROM_LEAF ? i : nr_frames - i;

		items[at] = tree->names.of_frame[frames[i]];
	}
	items[direction == TREE_FROM_LEAF ? nr_frames : 0] =
		tree_names__owner(&tree->names, sample);
	line->nr_names = (uint32_t)nr_frames + 1;
	memcpy(line->values, sample->values, sizeof(line->values));
	line->squares = sample->squares;
}

static bool has_value(const struct sample *sample)
{
	for (int i = 0; i < VALUES; i++)
		if (sample->values[i])
			return true;
	return false;
}

static size_t count_items(const struct profile *profile)
{
	size_t nr_samples, nr_frames, nr_items = 0;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		dictionary__stack(profile__dictionary(profile), samples[i].stack, &nr_frames);
		nr_items += nr_frames + 1;
	}
	return nr_items;
}

static int fill_lines(struct tree *tree, const struct profile *profile,
		      enum tree_direction direction)
{
	size_t nr_samples, nr_items = count_items(profile);
	const struct sample *samples = profile__samples(profile, &nr_samples);

	tree->items = reallocarray(NULL, nr_items + 1, sizeof(*tree->items));
	tree->lines = calloc(nr_samples + 1, sizeof(*tree->lines));
	if (!tree->items || !tree->lines)
		return -ENOMEM;
	nr_items = 0;
	for (size_t i = 0; i < nr_samples; i++) {
		struct line *line = &tree->lines[tree->nr_lines];

		if (!has_value(&samples[i]))
			continue;
		line->start = nr_items;
		fill_line(tree, line, profile, &samples[i], direction);
		nr_items += line->nr_names;
		tree->nr_lines++;
	}
	return 0;
}

static void add_values(struct line *line, const struct line *more)
{
	for (int i = 0; i < VALUES; i++)
		line->values[i] = sum_of(line->values[i], more->values[i]);
	line->squares += more->squares;
}

/* Adds equal neighbours up, and counts the names that each line shares with the one before. */
static void merge_lines(struct tree *tree)
{
	size_t kept = 0;

	for (size_t i = 0; i < tree->nr_lines; i++) {
		struct line *line = &tree->lines[i], *last = kept ? &tree->lines[kept - 1] : NULL;

		line->shared = last ? count_shared(tree, last, line) : 0;
		if (last && line->shared == line->nr_names && line->shared == last->nr_names)
			add_values(last, line);
		else
			tree->lines[kept++] = *line;
		if (line->nr_names > tree->max_depth)
			tree->max_depth = line->nr_names;
	}
	tree->nr_lines = kept;
}

static void sum_lines(struct tree *tree)
{
	for (size_t i = 0; i < tree->nr_lines; i++) {
		const struct line *line = &tree->lines[i];
		struct line *next = &tree->lines[i + 1];

		for (int value = 0; value < VALUES; value++)
			next->before[value] = line->before[value] + line->values[value];
		next->squares_before = line->squares_before + line->squares;
		next->nodes_before = line->nodes_before + line->nr_names - line->shared;
	}
}

struct tree *tree__new(const struct profile *profile, enum merge merge,
		       enum tree_direction direction)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return NULL;
	tree->metrics = *profile__metrics(profile);
	if (tree_names__init(&tree->names, profile, merge) ||
	    fill_lines(tree, profile, direction)) {
		tree__free(tree);
		return NULL;
	}
	qsort_r(tree->lines, tree->nr_lines, sizeof(*tree->lines), compare_lines, tree);
	merge_lines(tree);
	sum_lines(tree);
	return tree;
}

static int copy_stacks(struct tree *tree, const struct tree_stack *stacks, size_t nr_stacks)
{
	size_t nr_items = 0;

	for (size_t i = 0; i < nr_stacks; i++)
		nr_items += stacks[i].nr_names;
	tree->items = reallocarray(NULL, nr_items + 1, sizeof(*tree->items));
	tree->lines = calloc(nr_stacks + 1, sizeof(*tree->lines));
	if (!tree->items || !tree->lines)
		return -ENOMEM;
	nr_items = 0;
	for (size_t i = 0; i < nr_stacks; i++) {
		struct line *line = &tree->lines[i];

		line->start = nr_items;
		line->nr_names = stacks[i].nr_names;
		memcpy(line->values, stacks[i].values, sizeof(line->values));
		memcpy(tree->items + nr_items, stacks[i].names,
		       stacks[i].nr_names * sizeof(*tree->items));
		nr_items += stacks[i].nr_names;
	}
	tree->nr_lines = nr_stacks;
	return 0;
}

struct tree *tree__of_stacks(const struct tree_stack *stacks, size_t nr_stacks,
			     const struct tree_name *names, size_t nr_names)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return NULL;
	tree->names.names = calloc(nr_names + 1, sizeof(*names));
	if (!tree->names.names || copy_stacks(tree, stacks, nr_stacks)) {
		tree__free(tree);
		return NULL;
	}
	tree->names.nr_names = nr_names;
	for (size_t i = 0; i < nr_names; i++)
		tree->names.names[i] = names[i];
	merge_lines(tree);
	sum_lines(tree);
	return tree;
}

void tree__free(struct tree *tree)
{
	if (!tree)
		return;
	tree_names__fini(&tree->names);
	free(tree->items);
	free(tree->lines);
	free(tree);
}

const struct metrics *tree__metrics(const struct tree *tree)
{
	return &tree->metrics;
}

size_t tree__nr_names(const struct tree *tree)
{
	return tree->names.nr_names;
}

const struct tree_name *tree__name(const struct tree *tree, uint32_t name)
{
	return &tree->names.names[name];
}

size_t tree__nr_stacks(const struct tree *tree)
{
	return tree->nr_lines;
}

uint32_t tree__max_depth(const struct tree *tree)
{
	return tree->max_depth;
}

static void sum_range(const struct tree *tree, size_t first, size_t end, uint64_t *values)
{
	for (int i = 0; i < VALUES; i++) {
		unsigned __int128 sum = tree->lines[end].before[i] - tree->lines[first].before[i];

		values[i] = sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
	}
}

struct tree_stack tree__stack(const struct tree *tree, size_t index)
{
	const struct line *line = &tree->lines[index];
	struct tree_stack stack = {
		.names = tree->items + line->start,
		.nr_names = line->nr_names,
		.shared = line->shared,
		.squares = line->squares,
	};

	memcpy(stack.values, line->values, sizeof(stack.values));
	return stack;
}

static void sum_node(const struct tree *tree, struct tree_node *node)
{
	bool ends_here =
		node->first < node->end && tree->lines[node->first].nr_names == node->depth;

	sum_range(tree, node->first, node->end, node->total);
	sum_range(tree, node->first, node->first + ends_here, node->self);
	node->total_squares =
		tree->lines[node->end].squares_before - tree->lines[node->first].squares_before;
	node->self_squares = ends_here ? tree->lines[node->first].squares : 0;
}

struct tree_node tree__root(const struct tree *tree)
{
	struct tree_node root = {.name = ID_NONE, .end = tree->nr_lines};

	sum_node(tree, &root);
	return root;
}

size_t tree__nr_below(const struct tree *tree, const struct tree_node *node)
{
	const struct line *first = &tree->lines[node->first];

	if (node->first == node->end)
		return 0;
	/* The first line's names between its shared part and the node are ancestors of the node. */
	return tree->lines[node->end].nodes_before - first->nodes_before -
	       (node->depth - first->shared);
}

static bool child_at(const struct tree *tree, const struct tree_node *parent, size_t first,
		     struct tree_node *child)
{
	uint32_t depth = parent->depth + 1;
	size_t end = first + 1;

	if (first >= parent->end)
		return false;
	while (end < parent->end && tree->lines[end].shared >= depth)
		end++;
	child->name = tree->items[tree->lines[first].start + parent->depth];
	child->depth = depth;
	child->first = first;
	child->end = end;
	sum_node(tree, child);
	return true;
}

bool tree__first_child(const struct tree *tree, const struct tree_node *parent,
		       struct tree_node *child)
{
	bool ends_here =
		parent->first < parent->end && tree->lines[parent->first].nr_names == parent->depth;

	return child_at(tree, parent, parent->first + ends_here, child);
}

bool tree__next_child(const struct tree *tree, const struct tree_node *parent,
		      struct tree_node *child)
{
	return child_at(tree, parent, child->end, child);
}
