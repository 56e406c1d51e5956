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
	uint32_t stack;			  /* in the dictionary, if the tree is of a profile */
	unsigned __int128 before[VALUES]; /* the values of all lines before it */
	double squares_before;
	size_t nodes_before;
};

/* The line of the samples of a stack of the dictionary that have this owner. */
struct known_line {
	uint32_t owner; /* name; ID_NONE: no line is known */
	uint32_t line;
};

struct tree {
	const struct dictionary *dictionary;
	struct metrics metrics;
	struct tree_names names;
	uint32_t *items;
	struct line *lines; /* nr_lines + 1: the last one holds the sums */
	size_t nr_lines;
	/* By stack of the dictionary: most stacks have one owner. NULL: it is of no profile. */
	struct known_line *known;
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

static void add_values(struct line *line, const uint64_t values[VALUES], double squares)
{
	for (int value = 0; value < VALUES; value++)
		line->values[value] = sum_of(line->values[value], values[value]);
	line->squares += squares;
}

/*
 * Adds equal neighbours up, counts the names that each line shares with the one before, and fills
 * the running sums.
 */
static void merge_lines(struct tree *tree)
{
	size_t kept = 0;

	for (size_t i = 0; i < tree->nr_lines; i++) {
		struct line *line = &tree->lines[i], *last = kept ? &tree->lines[kept - 1] : NULL;

		line->shared = last ? count_shared(tree, last, line) : 0;
		if (line->nr_names > tree->max_depth)
			tree->max_depth = line->nr_names;
		if (!last || line->shared != line->nr_names || line->shared != last->nr_names)
			tree->lines[kept++] = *line;
		else
			add_values(last, line->values, line->squares);
		if (tree->known && tree->known[line->stack].owner == tree->items[line->start])
			tree->known[line->stack].line = (uint32_t)kept - 1;
	}
	tree->nr_lines = kept;
	for (size_t i = 0; i < kept; i++) {
		const struct line *line = &tree->lines[i];
		struct line *next = &tree->lines[i + 1];

		for (int value = 0; value < VALUES; value++)
			next->before[value] = line->before[value] + line->values[value];
		next->squares_before = line->squares_before + line->squares;
		next->nodes_before = line->nodes_before + line->nr_names - line->shared;
	}
}

/*
 * The dictionary's stacks are leaf first; the process is the caller of the outermost frame.
 */
struct tree *tree__new(const struct profile *profile, enum merge merge,
		       enum tree_direction direction)
{
	const struct dictionary *dictionary = profile__dictionary(profile);
	struct tree *tree = xcalloc(1, sizeof(*tree));
	size_t nr_samples, nr_frames, nr_items = 0, capacity = 0;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	const size_t nr_stacks = dictionary__nr_stacks(dictionary);

	tree->metrics = *profile__metrics(profile);
	tree_names__init(&tree->names, profile, merge);
	tree->lines = xcalloc(nr_samples + 1, sizeof(*tree->lines));
	tree->dictionary = dictionary;
	tree->known = xmalloc((nr_stacks + 1) * sizeof(*tree->known));
	memset(tree->known, 0xff, nr_stacks * sizeof(*tree->known)); /* ID_NONE */
	for (size_t i = 0; i < nr_samples; i++) {
		const struct sample *sample = &samples[i];
		const uint32_t owner = tree_names__owner(&tree->names, sample);
		struct known_line *known = &tree->known[sample->stack];
		struct line *line = &tree->lines[tree->nr_lines];
		const uint32_t *frames;
		uint32_t *items;

		if (!sample->values[VALUE_COUNT] && !sample->values[VALUE_WEIGHT])
			continue;
		if (known->owner == owner) {
			add_values(&tree->lines[known->line], sample->values, sample->squares);
			continue;
		}
		*known = (struct known_line){owner, (uint32_t)tree->nr_lines};
		frames = dictionary__stack(dictionary, sample->stack, &nr_frames);
		line->stack = sample->stack;
		line->start = nr_items;
		line->nr_names = (uint32_t)nr_frames + 1;
		memcpy(line->values, sample->values, sizeof(line->values));
		line->squares = sample->squares;
		nr_items += line->nr_names;
		array__reserve(&tree->items, &capacity, nr_items);
		items = tree->items + line->start;
		for (size_t j = 0; j < nr_frames; j++)
			items[direction == TREE_FROM_LEAF ? j : nr_frames - j] =
				tree->names.of_frame[frames[j]];
		items[direction == TREE_FROM_LEAF ? nr_frames : 0] = owner;
		tree->nr_lines++;
	}
	qsort_r(tree->lines, tree->nr_lines, sizeof(*tree->lines), compare_lines, tree);
	merge_lines(tree);
	return tree;
}

struct tree *tree__of_stacks(const struct tree_stack *stacks, size_t nr_stacks,
			     const struct tree_name *names, size_t nr_names)
{
	struct tree *tree = xcalloc(1, sizeof(*tree));
	size_t nr_items = 0, capacity = 0;

	array__reserve(&tree->items, &capacity, 1);
	tree->lines = xcalloc(nr_stacks + 1, sizeof(*tree->lines));
	tree->nr_lines = nr_stacks;
	for (size_t i = 0; i < nr_stacks; i++) {
		struct line *line = &tree->lines[i];

		line->start = nr_items;
		line->nr_names = stacks[i].nr_names;
		memcpy(line->values, stacks[i].values, sizeof(line->values));
		nr_items += line->nr_names;
		array__reserve(&tree->items, &capacity, nr_items);
		memcpy(tree->items + line->start, stacks[i].names,
		       line->nr_names * sizeof(*tree->items));
	}
	tree->names.names = xcalloc(nr_names + 1, sizeof(*names));
	tree->names.nr_names = nr_names;
	for (size_t i = 0; i < nr_names; i++)
		tree->names.names[i] = names[i];
	merge_lines(tree);
	return tree;
}

void tree__free(struct tree *tree)
{
	if (!tree)
		return;
	tree_names__fini(&tree->names);
	free(tree->items);
	free(tree->lines);
	free(tree->known);
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

uint32_t tree__find(const struct tree *tree, const struct sample *sample)
{
	const uint32_t owner = tree_names__owner(&tree->names, sample);
	const struct known_line known = tree->known[sample->stack];
	size_t nr_frames, first = 0, end = tree->nr_lines;
	const uint32_t *frames;

	if (known.owner == owner && owner != ID_NONE)
		return known.line;
	frames = dictionary__stack(tree->dictionary, sample->stack, &nr_frames);
	while (first < end) {
		const size_t middle = first + (end - first) / 2;
		const struct line *line = &tree->lines[middle];
		const uint32_t *items = tree->items + line->start;
		uint32_t depth = 1, name = owner;

		while (name == items[depth - 1] && depth <= nr_frames && depth < line->nr_names)
			name = tree->names.of_frame[frames[nr_frames - depth++]];
		if (name == items[depth - 1] && line->nr_names == nr_frames + 1)
			return (uint32_t)middle;
		if (name < items[depth - 1] || (name == items[depth - 1] && depth > nr_frames))
			end = middle;
		else
			first = middle + 1;
	}
	return ID_NONE;
}

static void sum_node(const struct tree *tree, struct tree_node *node)
{
	const struct line *first = &tree->lines[node->first], *end = &tree->lines[node->end];
	const bool ends_here = first < end && first->nr_names == node->depth;

	for (int value = 0; value < VALUES; value++) {
		const unsigned __int128 total = end->before[value] - first->before[value];

		node->total[value] = total > UINT64_MAX ? UINT64_MAX : (uint64_t)total;
		node->self[value] = ends_here ? first->values[value] : 0;
	}
	node->total_squares = end->squares_before - first->squares_before;
	node->self_squares = ends_here ? first->squares : 0;
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
