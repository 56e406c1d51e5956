// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stacks of a comparison become a tree. If there is a stack that ends at a node, it is the
 * first one of that node. So the index of a node's first stack finds it among the sorted stacks.
 */
#include "flame/overlay.h"

/* Nearly everybody can tell red from blue. Probable changes are pale, certain ones strong. */
const struct tone_style *tone__style(enum tone tone)
{
	static const struct tone_style styles[TONES] = {
		[TONE_NONE] = {"none", "not judged", 0xeceef1, 0x23272f, false},
		[TONE_UNCHANGED] = {"unchanged", "no sign of a change", 0xd5d9df, 0x3a414d, false},
		[TONE_SLOWER] = {"slower", "perhaps slower", 0xf6d5c9, 0x5a352c, false},
		[TONE_FASTER] = {"faster", "perhaps faster", 0xcfe2f0, 0x263f56, false},
		[TONE_REGRESSED] = {"regressed", "regressed", 0xd6523b, 0xd6523b, true},
		[TONE_IMPROVED] = {"improved", "improved", 0x2f7fbf, 0x2f7fbf, true},
		[TONE_MOVED] = {"moved", "moved", 0xe3c46a, 0x7d6520, false},
	};

	return &styles[tone];
}

void overlay__init(struct overlay *overlay, const struct tree_name *names, size_t nr_names)
{
	*overlay = (struct overlay){.names = xcalloc(nr_names + 1, sizeof(*names))};
	for (; overlay->nr_names < nr_names; overlay->nr_names++)
		overlay->names[overlay->nr_names] = names[overlay->nr_names];
}

void overlay__fini(struct overlay *overlay)
{
	for (size_t i = 0; i < overlay->nr_stacks; i++) {
		free(overlay->stacks[i].change);
		free(overlay->stacks[i].words);
	}
	for (size_t i = 0; i < overlay->nr_focuses; i++)
		free(overlay->focuses[i].words);
	free(overlay->names);
	free(overlay->stacks);
	free(overlay->items);
	*overlay = (struct overlay){0};
}

void overlay__add(struct overlay *overlay, const struct overlay_stack *stack, const uint32_t *names,
		  uint32_t nr_names)
{
	struct overlay_stack *added;

	array__reserve(&overlay->stacks, &overlay->stack_capacity, overlay->nr_stacks + 1);
	array__reserve(&overlay->items, &overlay->item_capacity, overlay->nr_items + nr_names);
	added = &overlay->stacks[overlay->nr_stacks++];
	*added = *stack;
	added->start = overlay->nr_items;
	added->nr_names = nr_names;
	memcpy(overlay->items + overlay->nr_items, names, nr_names * sizeof(*names));
	overlay->nr_items += nr_names;
}

void overlay__add_focus(struct overlay *overlay, const char *text, const char *module,
			const struct overlay_focus *focus)
{
	struct overlay_focus added = *focus;
	bool is_known = false;

	for (added.name = 0; added.name < overlay->nr_names; added.name++) {
		const struct tree_name *name = &overlay->names[added.name];

		if (!strcmp(name->text, text) && !name->module == !module &&
		    (!module || !strcmp(name->module, module)))
			break;
	}
	for (size_t i = 0; i < overlay->nr_focuses; i++)
		is_known |= overlay->focuses[i].name == added.name;
	if (added.name == overlay->nr_names || overlay->nr_focuses == MOST_FOCUSES || is_known)
		free(added.words);
	else
		overlay->focuses[overlay->nr_focuses++] = added;
}

static int compare_stacks(const void *left, const void *right, void *context)
{
	const struct overlay_stack *a = left, *b = right;
	const struct overlay *overlay = context;
	const uint32_t *x = overlay->items + a->start, *y = overlay->items + b->start;

	for (uint32_t i = 0; i < a->nr_names && i < b->nr_names; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return (a->nr_names > b->nr_names) - (a->nr_names < b->nr_names);
}

_Static_assert((int)OVERLAY_VALUES == (int)VALUES, "a tree has room for them");

struct tree *overlay__tree(struct overlay *overlay)
{
	struct tree_stack *stacks = xcalloc(overlay->nr_stacks + 1, sizeof(*stacks));
	uint32_t *number = xcalloc(overlay->nr_names + 1, sizeof(*number)), nr_used = 0;
	size_t nr_focuses = 0;
	struct tree *tree;

	/* Drop names that no stack has, and the focuses on them. */
	memset(number, 0xff, overlay->nr_names * sizeof(*number)); /* ID_NONE */
	for (size_t i = 0; i < overlay->nr_items; i++)
		number[overlay->items[i]] = 0;
	for (size_t i = 0; i < overlay->nr_names; i++) {
		if (number[i] == ID_NONE)
			continue;
		overlay->names[nr_used] = overlay->names[i];
		number[i] = nr_used++;
	}
	overlay->nr_names = nr_used;
	for (size_t i = 0; i < overlay->nr_items; i++)
		overlay->items[i] = number[overlay->items[i]];
	for (size_t i = 0; i < overlay->nr_focuses; i++) {
		struct overlay_focus focus = overlay->focuses[i];

		focus.name = number[focus.name];
		if (focus.name != ID_NONE)
			overlay->focuses[nr_focuses++] = focus;
		else
			free(focus.words);
	}
	overlay->nr_focuses = nr_focuses;
	free(number);

	if (overlay->nr_stacks)
		qsort_r(overlay->stacks, overlay->nr_stacks, sizeof(*overlay->stacks),
			compare_stacks, overlay);
	for (size_t i = 0; i < overlay->nr_stacks; i++) {
		const struct overlay_stack *stack = &overlay->stacks[i];

		stacks[i].names = overlay->items + stack->start;
		stacks[i].nr_names = stack->nr_names;
		stacks[i].values[OVERLAY_BOTH] = stack->base + stack->fresh;
		stacks[i].values[OVERLAY_BASE] = stack->base;
	}
	tree = tree__of_stacks(stacks, overlay->nr_stacks, overlay->names, overlay->nr_names);
	free(stacks);
	return tree;
}

const struct overlay_stack *overlay__find(const struct overlay *overlay, const struct tree *tree,
					  const struct tree_node *node)
{
	bool is_told = node->depth && tree__stack(tree, node->first).nr_names == node->depth;

	return is_told ? &overlay->stacks[node->first] : NULL;
}
