/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a format writes each frame of a dictionary: a frame is in many stacks, and its text is made
 * once.
 */
#ifndef TOPSTACKS_FORMATS_FRAME_TEXTS_H
#define TOPSTACKS_FORMATS_FRAME_TEXTS_H

#include <stdio.h>

#include "profile/dictionary.h"

typedef void print_frame_function(FILE *out, const struct dictionary *dictionary, uint32_t frame);

struct frame_text {
	char *bytes; /* terminated; NULL: not made yet */
	size_t nr_bytes;
};

struct frame_texts {
	const struct dictionary *dictionary;
	print_frame_function *print;
	struct frame_text *of; /* by frame */
};

/* The dictionary is borrowed, and may not grow meanwhile. 0, or -ENOMEM and nothing to fini. */
int frame_texts__init(struct frame_texts *texts, const struct dictionary *dictionary,
		      print_frame_function *print);
void frame_texts__fini(struct frame_texts *texts);

/* Lives as long as the texts. NULL: there is no memory for it, the caller prints it by itself. */
const struct frame_text *frame_texts__get(struct frame_texts *texts, uint32_t frame);

#endif
