// SPDX-License-Identifier: GPL-2.0-only
#include "run/languages.h"

#include <stddef.h>
#include <stdio.h>

#include "interpreters/interpreters.h"
#include "profile/dictionary.h"

bool languages__tell(const struct dictionary *dictionary, const char *why)
{
	const size_t nr_frames = dictionary__nr_frames(dictionary);
	const char *language = NULL;

	for (size_t i = 0; i < nr_frames && !language; i++) {
		const struct frame *frame = dictionary__frame(dictionary, (uint32_t)i);

		if (frame->kind == FRAME_USER && frame->function)
			language = interpreters__language_of(frame->function);
	}
	if (language)
		fprintf(stderr, "topstacks: functions of %s are not shown: %s\n", language, why);
	return language;
}
