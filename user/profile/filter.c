// SPDX-License-Identifier: GPL-2.0-only
/* Samples by what is in their stacks. A name is matched once, however many frames have it. */
#include "profile/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "profile/interned.h"

enum answer {
	MATCH_UNKNOWN,
	MATCH_NO,
	MATCH_YES,
};

#define MOST_BYTES 4096

int filter__init(struct filter *filter, const struct dictionary *dictionary, const char *pattern,
		 struct error *err)
{
	char reason[128];
	struct quoted quoted;
	int code = regcomp(&filter->regex, pattern, REG_EXTENDED | REG_NOSUB);

	if (code) {
		regerror(code, &filter->regex, reason, sizeof(reason));
		return error__say(err, EXIT_USAGE, -EINVAL, "no regular expression: %s: %s",
				  quote(&quoted, pattern), reason);
	}
	filter->dictionary = dictionary;
	filter->nr_matches = dictionary->names.nr_items;
	filter->matches = calloc(filter->nr_matches + 1, 1);
	if (filter->matches)
		return 0;
	regfree(&filter->regex);
	return error__no_memory(err);
}

void filter__fini(struct filter *filter)
{
	regfree(&filter->regex);
	free(filter->matches);
}

bool filter__matches_text(const struct filter *filter, const char *text)
{
	regmatch_t part = {0};

	if (!text)
		return false;
	part.rm_eo = (regoff_t)strnlen(text, MOST_BYTES);
	return !regexec(&filter->regex, text, 0, &part, REG_STARTEND);
}

static bool ask(const struct filter *filter, uint32_t id)
{
	const struct name *name = dictionary__name(filter->dictionary, id);

	return filter__matches_text(filter, name->text) ||
	       filter__matches_text(filter, name->module);
}

static bool matches_name(struct filter *filter, uint32_t id)
{
	if (id >= filter->nr_matches)
		return ask(filter, id);
	if (filter->matches[id] == MATCH_UNKNOWN)
		filter->matches[id] = ask(filter, id) ? MATCH_YES : MATCH_NO;
	return filter->matches[id] == MATCH_YES;
}

bool filter__matches_stack(struct filter *filter, uint32_t stack)
{
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(filter->dictionary, stack, &nr_frames);

	for (size_t i = 0; i < nr_frames; i++)
		if (matches_name(filter, dictionary__frame_name_id(filter->dictionary, frames[i])))
			return true;
	return false;
}
