// SPDX-License-Identifier: GPL-2.0-only
#include "profile/tree.h"

#include <stdint.h>

#include "expect.h"
#include "model.h"

#define WEIGHT 10000000 /* of each event of a model */

/* Depth first, a node a word: "main:100/10" is total/self of the count. */
static void write_node(FILE *out, const struct tree *tree, const struct tree_node *node)
{
	struct tree_node child;
	bool more = tree__first_child(tree, node, &child);

	EXPECT_EQ(node->total[VALUE_WEIGHT], WEIGHT * node->total[VALUE_COUNT]);
	EXPECT_EQ(node->self[VALUE_WEIGHT], WEIGHT * node->self[VALUE_COUNT]);
	fprintf(out, "%s:%llu/%llu", node->depth ? tree__name(tree, node->name)->text : "all",
		(unsigned long long)node->total[VALUE_COUNT],
		(unsigned long long)node->self[VALUE_COUNT]);
	if (!more)
		return;
	fputs("(", out);
	for (; more; more = tree__next_child(tree, node, &child)) {
		if (child.first > node->first + (node->self[VALUE_COUNT] ? 1 : 0))
			fputc(' ', out);
		write_node(out, tree, &child);
	}
	fputs(")", out);
}

static void expect_tree(const struct model *model, enum merge merge, enum tree_direction direction,
			const char *expected)
{
	struct tree *tree = tree__new(model->profile, merge, direction);
	struct tree_node root = tree__root(tree);
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	write_node(out, tree, &root);
	fclose(out);
	EXPECT_STR(text, expected);
	free(text);
	tree__free(tree);
}

static struct model small_model(void)
{
	struct model model = model__new();

	add(&model, "sh", 1, 30, "write@m main@m");
	add(&model, "sh", 1, 5, "entry@m read@m main@m");
	add(&model, "sh", 1, 10, "main@m");
	add(&model, "sh", 1, 60, "read@m main@m");
	return model;
}

static void test_from_root(void)
{
	struct model model = small_model();

	expect_tree(&model, MERGE_BY_COMM, TREE_FROM_ROOT,
		    "all:105/0(sh:105/0(main:105/10(read:65/60(entry:5/5) write:30/30)))");
	model__free(&model);
}

static void test_from_leaf(void)
{
	struct model model = small_model();

	expect_tree(&model, MERGE_BY_COMM, TREE_FROM_LEAF,
		    "all:105/0(entry:5/0(read:5/0(main:5/0(sh:5/5))) main:10/0(sh:10/10) "
		    "read:60/0(main:60/0(sh:60/60)) write:30/0(main:30/0(sh:30/30)))");
	model__free(&model);
}

static void test_owners(void)
{
	struct model model = model__new();

	add_thread(&model, "sh", 1, 11, 1, "main@m");
	add_thread(&model, "sh", 1, 12, 2, "main@m");
	add_thread(&model, "sh", 2, 21, 4, "main@m");
	expect_tree(&model, MERGE_BY_COMM, TREE_FROM_ROOT, "all:7/0(sh:7/0(main:7/7))");
	expect_tree(&model, MERGE_BY_PROCESS, TREE_FROM_ROOT,
		    "all:7/0(sh-1:3/0(main:3/3) sh-2:4/0(main:4/4))");
	expect_tree(&model, MERGE_BY_THREAD, TREE_FROM_ROOT,
		    "all:7/0(sh-1/11:1/0(main:1/1) sh-1/12:2/0(main:2/2) "
		    "sh-2/21:4/0(main:4/4))");
	model__free(&model);
}

/* Modules tell names apart, addresses do not, and frames without a function have names too. */
static void test_names(void)
{
	struct model model = model__new();
	static const char *const frames[] = {"f@b+1", "f@a+2", "f@a+3", "@a+20", "@+4", "@+5"};

	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++)
		add(&model, "fifteen letters", 1, 1, frames[i]);
	expect_tree(&model, MERGE_BY_COMM, TREE_FROM_LEAF,
		    "all:6/0([unknown]:2/0(fifteen letters:2/2) a+0x20:1/0(fifteen letters:1/1) "
		    "f:2/0(fifteen letters:2/2) f:1/0(fifteen letters:1/1))");
	model__free(&model);
}

static void test_recursion(void)
{
	struct model model = model__new();

	add(&model, "sh", 1, 1, "f@m f@m f@m");
	add(&model, "sh", 1, 2, "f@m f@m");
	expect_tree(&model, MERGE_BY_COMM, TREE_FROM_ROOT, "all:3/0(sh:3/0(f:3/0(f:3/2(f:1/1))))");
	model__free(&model);
}

static void test_without_frames(void)
{
	struct model model = model__new();

	expect_tree(&model, MERGE_BY_COMM, TREE_FROM_ROOT, "all:0/0");
	add(&model, "sh", 1, 3, "");
	add(&model, "sh", 1, 4, "main@m");
	add(&model, "sh", 1, 0, "nothing@m");
	expect_tree(&model, MERGE_BY_COMM, TREE_FROM_ROOT, "all:7/0(sh:7/3(main:4/4))");
	model__free(&model);
}

/* Sums end at the largest number, and what is beside them is still right. */
static void test_huge_counts(void)
{
	struct model model = model__new();
	struct tree_node node, child;
	struct tree *tree;

	add(&model, "sh", 1, UINT64_MAX - 1, "a@m");
	add(&model, "sh", 1, UINT64_MAX / 2, "b@m");
	add(&model, "sh", 1, 7, "c@m");
	tree = tree__new(model.profile, MERGE_BY_COMM, TREE_FROM_ROOT);
	node = tree__root(tree);
	EXPECT_EQ(node.total[VALUE_COUNT], UINT64_MAX);
	EXPECT(tree__first_child(tree, &node, &child));
	node = child;
	EXPECT(tree__first_child(tree, &node, &child));
	EXPECT_EQ(child.total[VALUE_COUNT], UINT64_MAX - 1);
	EXPECT(tree__next_child(tree, &node, &child));
	EXPECT_EQ(child.total[VALUE_COUNT], UINT64_MAX / 2);
	EXPECT(tree__next_child(tree, &node, &child));
	EXPECT_EQ(child.total[VALUE_COUNT], 7);
	EXPECT(!tree__next_child(tree, &node, &child));
	tree__free(tree);
	model__free(&model);
}

static void test_stacks(void)
{
	static const struct {
		uint32_t nr_names, shared;
		const char *leaf;
		uint64_t count;
	} expected[] = {
		{2, 0, "main", 10}, {3, 2, "read", 60}, {4, 3, "entry", 5}, {3, 2, "write", 30}};
	struct model model = small_model();
	struct tree *tree = tree__new(model.profile, MERGE_BY_COMM, TREE_FROM_ROOT);

	EXPECT_EQ(tree__nr_stacks(tree), 4);
	EXPECT_EQ(tree__max_depth(tree), 4);
	EXPECT_EQ(tree__nr_names(tree), 5);
	EXPECT(tree__name(tree, 0)->process);
	for (size_t i = 0; i < 4; i++) {
		struct tree_stack stack = tree__stack(tree, i);

		EXPECT_EQ(stack.nr_names, expected[i].nr_names);
		EXPECT_EQ(stack.shared, expected[i].shared);
		EXPECT_EQ(stack.values[VALUE_COUNT], expected[i].count);
		EXPECT_STR(tree__name(tree, stack.names[stack.nr_names - 1])->text,
			   expected[i].leaf);
	}
	tree__free(tree);
	model__free(&model);
}

#define RANDOM_STACKS 300

/* Adds up the counts of all stacks that begin with a path of single letters, by looking at each. */
static uint64_t sum_prefix(char (*stacks)[16], const uint64_t *counts, const char *path)
{
	uint64_t sum = 0;

	for (int i = 0; i < RANDOM_STACKS; i++)
		if (!strncmp(stacks[i], path, strlen(path)))
			sum += counts[i];
	return sum;
}

static size_t check_node(const struct tree *tree, const struct tree_node *node, const char *path,
			 char (*stacks)[16], const uint64_t *counts)
{
	struct tree_node child;
	size_t nr_below = 0;
	char longer[32], last[2] = "";

	if (node->depth >= 1)
		EXPECT_EQ(node->total[VALUE_COUNT], sum_prefix(stacks, counts, path));
	for (bool more = tree__first_child(tree, node, &child); more;
	     more = tree__next_child(tree, node, &child)) {
		const char *name = node->depth ? tree__name(tree, child.name)->text : "";

		EXPECT(strcmp(last, name) < 0 || !node->depth);
		snprintf(last, sizeof(last), "%s", name);
		snprintf(longer, sizeof(longer), "%s%s", path, name);
		nr_below += 1 + check_node(tree, &child, longer, stacks, counts);
	}
	EXPECT_EQ(tree__nr_below(tree, node), nr_below);
	return nr_below;
}

static void test_against_counting(void)
{
	struct model model = model__new();
	static char stacks[RANDOM_STACKS][16];
	uint64_t counts[RANDOM_STACKS];
	struct tree_node root;
	struct tree *tree;

	srand(7);
	for (int i = 0; i < RANDOM_STACKS; i++) {
		int length = 1 + rand() % 8;
		char text[64] = "";

		for (int j = 0; j < length; j++) {
			stacks[i][j] = (char)('a' + rand() % 3);
			/* Leaf first, and so the other way round. */
			memmove(text + 4, text, strlen(text) + 1);
			memcpy(text, (char[]){stacks[i][j], '@', 'm', ' '}, 4);
		}
		counts[i] = (uint64_t)(1 + rand() % 9);
		add(&model, "sh", 1 + rand() % 5, counts[i], text);
	}
	tree = tree__new(model.profile, MERGE_BY_COMM, TREE_FROM_ROOT);
	root = tree__root(tree);
	check_node(tree, &root, "", stacks, counts);
	EXPECT(tree__nr_below(tree, &root) > 100);
	tree__free(tree);
	model__free(&model);
}

/* The name of the sample at a depth, as its own words say it; "": there is none. */
static const char *name_at(const struct model *model, const struct sample *sample, uint32_t depth)
{
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(model->dictionary, sample->stack, &nr_frames);

	if (!depth)
		return dictionary__process(model->dictionary, sample->process)->comm;
	return depth <= nr_frames
		       ? dictionary__frame_name(model->dictionary, frames[nr_frames - depth])
		       : "";
}

/* Stacks of one process and of several, with other addresses of the same names. */
static void test_found_samples(void)
{
	static const char *const comms[] = {"sh", "make", "cc"};
	struct model model = model__new();
	struct profile *others = profile__new_like(model.profile, model.dictionary);
	struct profile *const profile = model.profile;
	const struct sample *samples;
	size_t nr_samples;
	struct tree *tree;

	srand(11);
	for (int i = 0; i < RANDOM_STACKS; i++) {
		char text[80] = "";

		for (int j = rand() % 6; j >= 0; j--)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%c@m+%d",
				 text[0] ? " " : "", 'a' + rand() % 3, 10 + rand() % 2);
		add(&model, comms[rand() % 3], 1 + rand() % 5, 1, text);
	}
	tree = tree__new(profile, MERGE_BY_COMM, TREE_FROM_ROOT);
	samples = profile__samples(profile, &nr_samples);
	for (size_t i = 0; i < nr_samples; i++) {
		const uint32_t index = tree__find(tree, &samples[i]);
		struct tree_stack stack;

		EXPECT(index < tree__nr_stacks(tree));
		stack = tree__stack(tree, index);
		for (uint32_t depth = 0; depth < stack.nr_names; depth++)
			EXPECT_STR(tree__name(tree, stack.names[depth])->text,
				   name_at(&model, &samples[i], depth));
		EXPECT_STR(name_at(&model, &samples[i], stack.nr_names), "");
	}
	tree__free(tree);

	/* Known to the dictionary, but not to the profile: a process, a frame, a longer stack. */
	model.profile = others;
	add(&model, "ld", 9, 1, "a@m+10");
	add(&model, "sh", 1, 1, "z@m+10 a@m+10");
	add(&model, "sh", 1, 1, "b@m+10 a@m+10 a@m+10 a@m+10 a@m+10 a@m+10 a@m+10 a@m+10");
	tree = tree__new(profile, MERGE_BY_COMM, TREE_FROM_ROOT);
	samples = profile__samples(others, &nr_samples);
	EXPECT_EQ(nr_samples, 3);
	for (size_t i = 0; i < nr_samples; i++)
		EXPECT_EQ(tree__find(tree, &samples[i]), ID_NONE);
	tree__free(tree);
	profile__free(others);
	model.profile = profile;
	model__free(&model);
}

/* As of a profile, but a stack without values is kept, and its index is its own. */
static void test_given_stacks(void)
{
	static const struct tree_name names[] = {{.text = "a"}, {.text = "b"}};
	const struct tree_stack stacks[] = {
		{.names = (const uint32_t[]){0}, .nr_names = 1},
		{.names = (const uint32_t[]){0, 1, 1}, .nr_names = 3, .values = {5, 1}},
		{.names = (const uint32_t[]){1}, .nr_names = 1, .values = {2, 2}},
	};
	struct tree *tree = tree__of_stacks(stacks, 3, names, 2);
	struct tree_node root = tree__root(tree), child, below;

	EXPECT_EQ(root.total[0], 7);
	EXPECT_EQ(root.total[1], 3);
	EXPECT_EQ(tree__nr_stacks(tree), 3);
	EXPECT_EQ(tree__nr_below(tree, &root), 4);
	EXPECT(tree__first_child(tree, &root, &child));
	EXPECT_STR(tree__name(tree, child.name)->text, "a");
	EXPECT_EQ(child.total[0], 5);
	EXPECT_EQ(child.self[0], 0);
	EXPECT(tree__first_child(tree, &child, &below));
	EXPECT_STR(tree__name(tree, below.name)->text, "b");
	EXPECT_EQ(below.first, 1);
	EXPECT(tree__next_child(tree, &root, &child));
	EXPECT_EQ(child.first, 2);
	EXPECT_EQ(child.total[1], 2);
	tree__free(tree);
}

int main(void)
{
	static const struct test tests[] = {
		{"stacks merged from the root", test_from_root},
		{"stacks merged from the leaf", test_from_leaf},
		{"processes and threads told apart as asked", test_owners},
		{"equal names are one, whatever the address", test_names},
		{"recursion is depth, not a loop", test_recursion},
		{"no samples, no frames, no values", test_without_frames},
		{"counts near 2^64", test_huge_counts},
		{"the list of stacks", test_stacks},
		{"samples are found where their names are", test_found_samples},
		{"every node of a random tree against counting", test_against_counting},
		{"a tree of stacks that are no profile's", test_given_stacks},
		{0},
	};

	return run_tests("tree", tests);
}
