// SPDX-License-Identifier: GPL-2.0-only
/*
 * The findings of an answer:
 *
 *	From the root: `main`, which goes to `rest` 69.2 % ± 2.0, `handle_request` 22.9 % ± 1.8
 *	| 69.1 % ± 2.0 | 69.2 % ± 2.0 | `rest` in `prog` | `main` |
 *	| 30.7 % ± 1.9 | 30.8 % ± 2.0 | `hot` in `prog` | `parse`: 75 % for `f`, 25 % for `g` |
 */

#include "base/markdown.h"
#include "views/answer_parts.h"

#define NEARLY_ALL    0.95 /* of a node: a child with that much is not a branch */
#define LEAST_BRANCH  0.05
#define MOST_BRANCHES 5
#define MOST_CALLERS  3
#define LEAST_CALLER  0.1
#define MOST_STEPS    256

/* ---- shares ---- */

double answer__half_percent(const struct answer_data *answer, struct portion part)
{
	return 100 * certainty__error(&answer->certainty, part);
}

/* Prints "29.8 % ± 3.5"; without ± if the certainty is not known. */
static void print_share(FILE *out, const struct answer_data *answer, struct portion part)
{
	fprintf(out, "%.1f %%", share_percent((uint64_t)part.value, answer->options->whole));
	if (!answer->certainty.lack)
		fprintf(out, " ± %.1f", answer__half_percent(answer, part));
}

/* ---- branches of a tree ---- */

struct branches {
	struct tree_node of[MOST_BRANCHES]; /* the largest children, sorted */
	size_t nr;
};

static uint64_t value_of(const struct tree *tree, const struct tree_node *node)
{
	return node->total[tree__metrics(tree)->shown];
}

static struct portion part_of(const struct tree *tree, const struct tree_node *node)
{
	return (struct portion){(double)value_of(tree, node), node->total_squares};
}

static struct branches find_branches(const struct tree *tree, const struct tree_node *node)
{
	struct branches branches = {0};
	struct tree_node child;
	bool is_there = tree__first_child(tree, node, &child);

	for (; is_there; is_there = tree__next_child(tree, node, &child)) {
		size_t at = branches.nr;

		if (at == MOST_BRANCHES &&
		    value_of(tree, &branches.of[--at]) >= value_of(tree, &child))
			continue;
		branches.nr = at + 1;
		for (; at && value_of(tree, &branches.of[at - 1]) < value_of(tree, &child); at--)
			branches.of[at] = branches.of[at - 1];
		branches.of[at] = child;
	}
	return branches;
}

/* True if one child has nearly all of the node. */
static bool goes_on(const struct tree *tree, const struct tree_node *node,
		    const struct branches *branches)
{
	return branches->nr && (double)value_of(tree, &branches->of[0]) >=
				       NEARLY_ALL * (double)value_of(tree, node);
}

static void print_node(FILE *out, const struct tree *tree, const struct tree_node *node)
{
	markdown__print_function(out, tree__name(tree, node->name)->text);
}

static bool is_process(const struct tree *tree, const struct tree_node *node)
{
	return tree__name(tree, node->name)->process;
}

/* True for the empty process name of folded text: it is not shown. */
static bool is_nameless_process(const struct tree *tree, const struct tree_node *node)
{
	return is_process(tree, node) && !*tree__name(tree, node->name)->text;
}

/* ---- from the root ---- */

void answer__print_branches(FILE *out, const struct answer_data *answer)
{
	const struct tree *tree = answer->from_root;
	struct tree_node node = tree__root(tree);
	struct branches branches = find_branches(tree, &node);
	const char *before = "";

	for (int i = 0; i < MOST_STEPS && goes_on(tree, &node, &branches); i++) {
		node = branches.of[0];
		branches = find_branches(tree, &node);
	}
	if (!branches.nr)
		return;
	fputs("**From the root:** ", out);
	if (node.depth && !is_nameless_process(tree, &node)) {
		print_node(out, tree, &node);
		fputs(" ", out);
		print_share(out, answer, part_of(tree, &node));
		before = ", of which ";
	}
	for (size_t i = 0; i < branches.nr; i++) {
		if ((double)value_of(tree, &branches.of[i]) <
		    LEAST_BRANCH * (double)answer->options->whole)
			break;
		fputs(before, out);
		print_node(out, tree, &branches.of[i]);
		fputs(" ", out);
		print_share(out, answer, part_of(tree, &branches.of[i]));
		before = ", ";
	}
	fputc('\n', out);
}

/* ---- callers ---- */

static bool find_leaf(const struct tree *tree, const struct group_row *group,
		      struct tree_node *node)
{
	struct tree_node root = tree__root(tree);
	bool is_there = tree__first_child(tree, &root, node);

	for (; is_there; is_there = tree__next_child(tree, &root, node)) {
		const struct tree_name *name = tree__name(tree, node->name);

		if (!strcmp(name->text, group->name) && !name->module == !group->module &&
		    (!name->module || !strcmp(name->module, group->module)))
			return true;
	}
	return false;
}

bool answer__has_callers(const struct answer_data *answer, const struct group_row *group)
{
	const struct tree *tree = answer->from_leaf;
	struct branches branches;
	struct tree_node node;

	if (!find_leaf(tree, group, &node))
		return false;
	branches = find_branches(tree, &node);
	for (int i = 0; i < MOST_STEPS && goes_on(tree, &node, &branches); i++) {
		node = branches.of[0];
		branches = find_branches(tree, &node);
	}
	return branches.nr > 1;
}

static void print_callers(FILE *out, const struct tree *tree, const struct tree_node *node,
			  const struct branches *branches, const char *word)
{
	const char *before = "";

	for (size_t i = 0; i < branches->nr && i < MOST_CALLERS; i++) {
		const double part =
			(double)value_of(tree, &branches->of[i]) / (double)value_of(tree, node);

		if (part < LEAST_CALLER)
			break;
		fprintf(out, "%s%.0f %% ", before, 100 * part);
		if (is_nameless_process(tree, &branches->of[i])) {
			fputs("without a caller", out);
		} else {
			fprintf(out, "%s %s", word,
				is_process(tree, &branches->of[i]) ? "process " : "");
			print_node(out, tree, &branches->of[i]);
		}
		before = ", ";
	}
}

/* Prints the nearest caller, and the farther callers where its stacks differ, if they do. */
static void print_called_by(FILE *out, const struct tree *tree, const struct group_row *group)
{
	struct tree_node leaf, node, nearest;
	struct branches branches;

	if (!find_leaf(tree, group, &leaf))
		return;
	node = nearest = leaf;
	branches = find_branches(tree, &node);
	if (!goes_on(tree, &node, &branches)) {
		print_callers(out, tree, &node, &branches, "by");
		return;
	}
	nearest = branches.of[0];
	if (is_process(tree, &nearest))
		return;
	print_node(out, tree, &nearest);
	for (int i = 0; i < MOST_STEPS && goes_on(tree, &node, &branches); i++) {
		node = branches.of[0];
		branches = find_branches(tree, &node);
	}
	if (!branches.nr || is_process(tree, &branches.of[0]))
		return;
	fputs(": ", out);
	print_callers(out, tree, &node, &branches, "for");
}

/* ---- functions ---- */

void answer__print_functions(FILE *out, const struct answer_data *answer)
{
	const struct answer_options *options = answer->options;

	for (size_t i = 0; i < answer->nr_groups && i < options->nr_rows; i++) {
		const uint64_t self = answer->groups[i].self;

		if (!self || share_percent(self, options->whole) < options->percent_limit)
			break;
		fputs("| ", out);
		print_share(out, answer, self_part(&answer->groups[i]));
		fputs(" | ", out);
		print_share(out, answer, total_part(&answer->groups[i]));
		fputs(" | ", out);
		markdown__print_function(out, answer->groups[i].name);
		if (answer->groups[i].module &&
		    !frame__says_module(answer->groups[i].name, answer->groups[i].module,
					answer->groups[i].kind)) {
			fputs(" in ", out);
			markdown__print_code(out, answer->groups[i].module);
		}
		fputs(" | ", out);
		print_called_by(out, answer->from_leaf, &answer->groups[i]);
		fputs(" |\n", out);
	}
}

/* ---- waits ---- */

#define MOST_WAITS 64
#define MOST_TOLD  4

struct waits_told {
	const char *name; /* a literal */
	struct portion part;
};

static void add_wait(struct waits_told *waits, size_t *nr, const char *name, struct portion part)
{
	size_t i = 0;

	while (i < *nr && strcmp(waits[i].name, name))
		i++;
	if (i == MOST_WAITS)
		return;
	*nr += i == *nr;
	waits[i].name = name;
	waits[i].part.value += part.value;
	waits[i].part.squares += part.squares;
}

static int by_value(const void *left, const void *right)
{
	const double a = ((const struct waits_told *)left)->part.value;
	const double b = ((const struct waits_told *)right)->part.value;

	return (a < b) - (a > b);
}

void answer__print_waits(FILE *out, const struct answer_data *answer)
{
	const enum value shown = profile__metrics(answer->profile)->shown;
	struct waits_told waits[MOST_WAITS] = {0};
	size_t nr_samples, nr = 0;
	const struct sample *samples = profile__samples(answer->profile, &nr_samples);
	const char *before = " ";

	if (!profile__has_waits(answer->recording->profile))
		return;
	for (size_t i = 0; i < nr_samples; i++)
		if (*wait__describe(samples[i].wait))
			add_wait(waits, &nr, wait__describe(samples[i].wait),
				 (struct portion){(double)samples[i].values[shown],
						  samples[i].squares});
	qsort(waits, nr, sizeof(*waits), by_value);
	fputs("**Waiting:**", out);
	if (answer->idle) {
		fprintf(out, " %.1f %% for work, which is left out below",
			share_percent(profile__shown_total(answer->idle), answer->options->whole));
		before = "; ";
	}
	for (size_t i = 0; i < nr && i < MOST_TOLD; i++) {
		fprintf(out, "%s%s ", before, waits[i].name);
		print_share(out, answer, waits[i].part);
		before = ", ";
	}
	fputc('\n', out);
}
