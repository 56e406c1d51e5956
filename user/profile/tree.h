/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call tree of a profile: stacks merged by name from one end, their children in order of name.
 *
 *	all                    total 100  self 0    depth 0: the root, which has no name
 *	  sshd                 total 100  self 0    depth 1: the process (comm; pid if merged so)
 *	    main               total 100  self 10
 *	      read             total  60  self 60
 *	      write            total  30  self 30
 *
 * Reversed, depth 1 holds the leaves and the process comes last. The tree is a sorted list of
 * distinct stacks; a node is a run of neighbours that agree down to its depth, so nodes are values
 * made while walking, and a tree of millions of nodes costs no more than its stacks.
 * Samples are found again by their stack's number in the dictionary: names are compared only while
 * the tree is made.
 */
#ifndef TOPSTACKS_PROFILE_TREE_H
#define TOPSTACKS_PROFILE_TREE_H

#include "base/common.h"
#include "profile/tree_names.h"

enum tree_direction {
	TREE_FROM_ROOT, /* callers first, as in a flame graph */
	TREE_FROM_LEAF, /* callees first: the callers of hot functions */
};

struct tree;

/*
 * Samples whose values are all 0 are left out. Names are borrowed from the profile's dictionary,
 * which must outlive the tree; the profile need not.
 */
struct tree *tree__new(const struct profile *profile, enum merge merge,
		       enum tree_direction direction);
void tree__free(struct tree *tree);

/* The profile's metrics. */
const struct metrics *tree__metrics(const struct tree *tree);

size_t tree__nr_names(const struct tree *tree);
const struct tree_name *tree__name(const struct tree *tree, uint32_t name);

/* Distinct stacks in order. Names of the tree's root side first; valid as long as the tree. */
struct tree_stack {
	const uint32_t *names;
	uint32_t nr_names; /* at least 1: the process */
	uint32_t shared; /* so many names are also the first of the stack before; set by the tree */
	uint64_t values[VALUES];
	double squares; /* sum of squared weights; set by the tree */
};

/*
 * Makes a tree of the caller's own stacks. They are in order of their names' ids, each once; stacks
 * with values of 0 stay. Names are in order of text, then module; their texts are borrowed, the
 * rest is copied. It has no metrics, and shows the first value.
 */
struct tree *tree__of_stacks(const struct tree_stack *stacks, size_t nr_stacks,
			     const struct tree_name *names, size_t nr_names);

size_t tree__nr_stacks(const struct tree *tree);
struct tree_stack tree__stack(const struct tree *tree, size_t index);
uint32_t tree__max_depth(const struct tree *tree);

/*
 * The index of the stack that a sample is in, whose dictionary is that of the tree's profile and
 * has not grown since; ID_NONE: there is none. For trees from the root.
 */
uint32_t tree__find(const struct tree *tree, const struct sample *sample);

struct tree_node {
	uint32_t name;	/* ID_NONE: the root */
	uint32_t depth; /* 0: the root */
	size_t first;	/* its stacks: first to end - 1 */
	size_t end;
	uint64_t self[VALUES];
	uint64_t total[VALUES];
	double self_squares, total_squares; /* sums of squared weights */
};

struct tree_node tree__root(const struct tree *tree);

/* The number of nodes below it, of all generations. */
size_t tree__nr_below(const struct tree *tree, const struct tree_node *node);

/* False if parent has no child, or child was the last one; *child is unchanged then. */
bool tree__first_child(const struct tree *tree, const struct tree_node *parent,
		       struct tree_node *child);
bool tree__next_child(const struct tree *tree, const struct tree_node *parent,
		      struct tree_node *child);

#endif
