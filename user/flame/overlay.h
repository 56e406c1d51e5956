/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A comparison, drawn as a flame graph. The width of a frame is the mean of its shares of both
 * sides, so that new and gone frames have a width, too. Its colour shows how it changed. The
 * comparing code fills an overlay with all stacks in which samples end, and with those beginnings
 * of stacks for which it has something to tell.
 */
#ifndef TOPSTACKS_FLAME_OVERLAY_H
#define TOPSTACKS_FLAME_OVERLAY_H

#include "base/common.h"
#include "flame/flame.h"
#include "profile/tree.h"

/* How a frame with all above it changed. */
enum tone {
	TONE_NONE,	/* the root, or too small to be judged */
	TONE_UNCHANGED, /* nothing but its share has changed */
	TONE_SLOWER,	/* probably: too few samples to be certain */
	TONE_FASTER,
	TONE_REGRESSED,
	TONE_IMPROVED,
	TONE_MOVED,
	TONES,
};

/* The style of a tone. Colours are 0xRRGGBB; is_strong: the text is white. */
struct tone_style {
	const char *name, *label;
	uint32_t light, dark;
	bool is_strong;
};

const struct tone_style *tone__style(enum tone tone);

/* Shares are integers, as parts of this. */
#define OVERLAY_WHOLE 1000000000

struct overlay_stack {
	size_t start;	   /* of its names in items */
	uint32_t nr_names; /* at least 1, root first */
	uint64_t base;	   /* share of the samples that end here, of the base and of the new side */
	uint64_t fresh;
	enum tone tone;
	char *change; /* "+98 %", shown in the box after the name; or NULL */
	char *words;  /* "regressed: +98 % (+96 to +100 %)"; or NULL */
};

#define MOST_FOCUSES 12

/*
 * A function that changed as a whole, in all its callers. The page offers to look at both sides of
 * it.
 */
struct overlay_focus {
	uint32_t name; /* index in names; once the tree is made, among those that are used */
	enum tone tone;
	/* its total in new, divided by that in base; 0: not known, or one side alone has it */
	double ratio;
	char *words;
};

struct overlay {
	struct tree_name *names;
	size_t nr_names;
	struct overlay_stack *stacks;
	size_t nr_stacks, stack_capacity;
	uint32_t *items; /* indices of names */
	size_t nr_items, item_capacity;
	struct overlay_focus focuses[MOST_FOCUSES];
	size_t nr_focuses;
};

/*
 * Makes an overlay without stacks. The names, in order of text and module, are copied, but their
 * texts are borrowed. Names that no stack has are not shown.
 */
void overlay__init(struct overlay *overlay, const struct tree_name *names, size_t nr_names);
void overlay__fini(struct overlay *overlay);

/*
 * Copies the stack, with start and nr_names set accordingly, and takes over its strings. No stack
 * may be added twice.
 */
void overlay__add(struct overlay *overlay, const struct overlay_stack *stack, const uint32_t *names,
		  uint32_t nr_names);

/*
 * Adds a function by its name, and takes over focus->words. Does nothing if the name does not
 * exist, was added before, or there are too many.
 */
void overlay__add_focus(struct overlay *overlay, const char *name, const char *module,
			const struct overlay_focus *focus);

/* As flame__write_page() and flame__write_svg(); merge has no effect here. */
int overlay__write_page(FILE *out, struct overlay *overlay, const struct flame_options *options);
int overlay__write_svg(FILE *out, struct overlay *overlay, const struct flame_options *options);

/* The values of an overlay's tree, in place of enum value. It shows the first. */
enum overlay_value {
	OVERLAY_BOTH, /* the sum of both shares */
	OVERLAY_BASE,
	OVERLAY_VALUES,
};

/*
 * Makes the tree that is drawn. Its stacks are those of the overlay, which are sorted.
 */
struct tree *overlay__tree(struct overlay *overlay);

/* The overlay's stack that ends at a node of that tree. NULL: there is none. */
const struct overlay_stack *overlay__find(const struct overlay *overlay, const struct tree *tree,
					  const struct tree_node *node);

#endif
