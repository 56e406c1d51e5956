/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cache of the text of each frame in a format: a frame is in many stacks, but its text is made
 * once.
 */
#ifndef TOPSTACKS_FORMATS_FRAME_TEXTS_H
#define TOPSTACKS_FORMATS_FRAME_TEXTS_H

#include "base/common.h"
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

/* Borrows the dictionary, which may not grow before fini. */
void frame_texts__init(struct frame_texts *texts, const struct dictionary *dictionary,
		       print_frame_function *print);
void frame_texts__fini(struct frame_texts *texts);

/*
 * The text of a frame, valid as long as texts. NULL: out of memory; the caller then prints the
 * frame itself.
 */
const struct frame_text *frame_texts__get(struct frame_texts *texts, uint32_t frame);

#endif
