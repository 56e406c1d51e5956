// SPDX-License-Identifier: GPL-2.0-only
#include "formats/frame_texts.h"

void frame_texts__init(struct frame_texts *texts, const struct dictionary *dictionary,
		       print_frame_function *print)
{
	*texts = (struct frame_texts){
		.dictionary = dictionary,
		.print = print,
		.of = xcalloc(dictionary__nr_frames(dictionary) + 1, sizeof(*texts->of)),
	};
}

void frame_texts__fini(struct frame_texts *texts)
{
	for (size_t i = 0; i < dictionary__nr_frames(texts->dictionary); i++)
		free(texts->of[i].bytes);
	free(texts->of);
}

const struct frame_text *frame_texts__get(struct frame_texts *texts, uint32_t frame)
{
	struct frame_text *text = &texts->of[frame];
	FILE *out;

	if (text->bytes)
		return text;
	out = xmemstream(&text->bytes, &text->nr_bytes);
	texts->print(out, texts->dictionary, frame);
	if (!fclose(out))
		return text;
	free(text->bytes);
	text->bytes = NULL;
	return NULL;
}
