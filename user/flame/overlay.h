/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A comparison, drawn over a flame graph: each frame is as wide as the mean of its shares of both
 * sides, so that what is new and what is gone have width too, and its colour says what became of
 * it. Whoever compares fills an overlay with the stacks that samples end in, and with those of their
 * beginnings about which there is something to say.
 */
#ifndef TOPSTACKS_FLAME_OVERLAY_H
#define TOPSTACKS_FLAME_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "flame/flame.h"
#include "profile/tree.h"

/* What became of a frame with all above it. */
enum tone {
	TONE_NONE,	/* everything, or too small to be judged */
	TONE_UNCHANGED, /* or nothing says that it changed but its share */
	TONE_SLOWER,	/* probably: not enough samples to be sure */
	TONE_FASTER,
	TONE_REGRESSED,
	TONE_IMPROVED,
	TONE_MOVED,
	TONES,
};

/* How a tone is shown; colours are 0xRRGGBB, and is_strong asks for white text. */
struct tone_style {
	const char *name, *label;
	uint32_t light, dark;
	bool is_strong;
};

const struct tone_style *tone__style(enum tone tone);

/* Shares are told in parts of this. */
#define OVERLAY_WHOLE 1000000000

struct overlay_stack {
	size_t start;	   /* of its names, in items */
	uint32_t nr_names; /* at least 1, root first */
	uint64_t base;	   /* the share of samples that end here, of each side */
	uint64_t fresh;
	enum tone tone;
	char *change; /* "+98 %": told in the box, behind the name; NULL: nothing */
	char *words;  /* "regressed: +98 % (+96 to +100 %)"; NULL: nothing */
};

#define MOST_FOCUSES 12

/* A function that changed as a whole, wherever it is called: to be looked at on both sides. */
struct overlay_focus {
	uint32_t name; /* of those that are shown, once the tree is made */
	enum tone tone;
	double ratio; /* how many times as much new has of it as base; 0: not known */
	char *words;
};

struct overlay {
	struct tree_name *names;
	size_t nr_names;
	struct overlay_stack *stacks;
	size_t nr_stacks, stack_capacity;
	uint32_t *items; /* names, by index */
	size_t nr_items, item_capacity;
	struct overlay_focus focuses[MOST_FOCUSES];
	size_t nr_focuses;
};

/*
 * Without stacks. Names in order of text, then module, are copied but for their texts; those that no
 * stack has are not shown. 0 or -ENOMEM; fini also after an error.
 */
int overlay__init(struct overlay *overlay, const struct tree_name *names, size_t nr_names);
void overlay__fini(struct overlay *overlay);

/*
 * Copies the stack (its start and nr_names are told by this) and takes over its strings, also when
 * it fails. No stack may be added twice. 0 or -ENOMEM.
 */
int overlay__add(struct overlay *overlay, const struct overlay_stack *stack, const uint32_t *names,
		 uint32_t nr_names);

/* Takes over words; the name is another's. Nothing, if no name is this one, or it is there, or there are too many. */
void overlay__add_focus(struct overlay *overlay, const char *name, const char *module,
			const struct overlay_focus *focus);

/* As flame__write_page() and flame__write_svg(); merge and order mean nothing here. */
int overlay__write_page(FILE *out, struct overlay *overlay, const struct flame_options *options);
int overlay__write_svg(FILE *out, struct overlay *overlay, const struct flame_options *options);

/* What such a tree has in the places of enum value; it shows the first. */
enum overlay_value {
	OVERLAY_BOTH, /* the sum of both shares */
	OVERLAY_BASE,
	OVERLAY_VALUES,
};

/*
 * The tree that is drawn, whose stacks are those of the overlay, which are put in order. NULL: out
 * of memory.
 */
struct tree *overlay__tree(struct overlay *overlay);

/* What is told of a node of that tree; NULL: nothing. */
const struct overlay_stack *overlay__find(const struct overlay *overlay, const struct tree *tree,
					  const struct tree_node *node);

#endif
