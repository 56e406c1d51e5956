// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout of a flame graph's boxes agrees with the stacks; page/layout.js is tested against the
 * same boxes.
 */
#include "flame/layout.h"

#include "expect.h"
#include "model.h"

static struct layout lay_out(const struct model *model, double width, struct tree **tree)
{
	struct layout layout;

	*tree = tree__new(model->profile, MERGE_BY_COMM, TREE_FROM_ROOT);
	layout__init(&layout, *tree, width, 1);
	return layout;
}

static const struct flame_box *find(const struct layout *layout, const struct tree *tree,
				    const char *name)
{
	for (size_t i = 1; i < layout->nr_boxes; i++)
		if (!layout->boxes[i].nr_hidden &&
		    !strcmp(tree__name(tree, layout->boxes[i].node.name)->text, name))
			return &layout->boxes[i];
	EXPECT_STR("no box", name);
	return &layout->boxes[0];
}

static void expect_edges(const struct flame_box *box, double left, double right)
{
	EXPECT_NEAR(box->left, left, 1e-9);
	EXPECT_NEAR(box->right, right, 1e-9);
}

/* Own samples are on the left, children in order of name; edges that meet are equal. */
static void test_places(void)
{
	struct model model = model__new();
	struct layout layout;
	struct tree *tree;

	add(&model, "sh", 1, 30, "write@libc main@sh");
	add(&model, "sh", 1, 10, "main@sh");
	add(&model, "sh", 1, 60, "read@libc main@sh");
	layout = lay_out(&model, 70, &tree);
	EXPECT_EQ(layout.nr_boxes, 5);
	EXPECT_EQ(layout.nr_rows, 4);
	EXPECT_EQ(layout.nr_hidden, 0);
	EXPECT_EQ(layout.boxes[0].parent, SIZE_MAX);
	expect_edges(find(&layout, tree, "main"), 0, 70);
	expect_edges(find(&layout, tree, "read"), 7, 49);
	expect_edges(find(&layout, tree, "write"), 49, 70);
	EXPECT(find(&layout, tree, "read")->right == find(&layout, tree, "write")->left);
	EXPECT(find(&layout, tree, "write")->right == find(&layout, tree, "main")->right);
	layout__fini(&layout);
	tree__free(tree);
	model__free(&model);
}

/* Every node is a box, or counted in a run, or counted although its run is too narrow itself. */
static void test_runs(void)
{
	struct model model = model__new();
	size_t nr_nodes = 1 + 1 + 1 + 2 * 50 + 1 + 1, nr_drawn = 0, nr_in_runs = 0;
	struct layout layout;
	struct tree *tree;
	char stack[64];

	for (int i = 0; i < 50; i++) {
		snprintf(stack, sizeof(stack), "leaf@m narrow%d@m main@m", i);
		add(&model, "sh", 1, 1, stack);
	}
	add(&model, "sh", 1, 9949, "wide@m main@m");
	add(&model, "sh", 1, 1, "xerxes@m main@m");
	layout = lay_out(&model, 1000, &tree);
	for (size_t i = 0; i < layout.nr_boxes; i++) {
		nr_drawn += !layout.boxes[i].nr_hidden;
		nr_in_runs += layout.boxes[i].nr_hidden;
	}
	EXPECT_EQ(nr_drawn, 4);
	EXPECT_EQ(nr_in_runs, 100);
	EXPECT_EQ(layout.nr_hidden, 101);
	EXPECT_EQ(nr_drawn + layout.nr_hidden, nr_nodes);
	expect_edges(&layout.boxes[3], 0, 5);
	expect_edges(&layout.boxes[4], 5, 999.9);
	layout__fini(&layout);
	tree__free(tree);
	model__free(&model);
}

/* Sums that do not fit their 64 bits are the largest that do: nothing lies beyond the root. */
static void test_limits(void)
{
	struct model none = model__new(), much = model__new();
	struct layout layout;
	struct tree *tree;

	layout = lay_out(&none, 100, &tree);
	EXPECT_EQ(layout.nr_boxes, 1);
	EXPECT_EQ(layout.nr_rows, 1);
	expect_edges(&layout.boxes[0], 0, 100);
	layout__fini(&layout);
	tree__free(tree);

	add(&much, "sh", 1, UINT64_MAX, "a@m main@m");
	add(&much, "sh", 1, UINT64_MAX, "b@m main@m");
	layout = lay_out(&much, 100, &tree);
	for (size_t i = 0; i < layout.nr_boxes; i++)
		EXPECT(layout.boxes[i].left >= 0 && layout.boxes[i].right <= 100);
	layout__fini(&layout);
	tree__free(tree);
	model__free(&none);
	model__free(&much);
}

int main(void)
{
	static const struct test tests[] = {
		{"places", test_places},
		{"runs of narrow frames", test_runs},
		{"nothing, and too much", test_limits},
		{0},
	};

	return run_tests("layout", tests);
}
