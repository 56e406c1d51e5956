// SPDX-License-Identifier: GPL-2.0-only
/*
 * Matches samples by the frames in their stacks. Each name is matched once, however many frames
 * have it.
 */
#include "profile/select/filter.h"

#include "profile/interned.h"

enum answer {
	MATCH_UNKNOWN,
	MATCH_NO,
	MATCH_YES,
};

#define MOST_BYTES 4096

static int compile(regex_t *regex, const char *pattern, struct error *err)
{
	char reason[128];
	struct quoted quoted;
	const int code = regcomp(regex, pattern, REG_EXTENDED | REG_NOSUB);

	if (!code)
		return 0;
	regerror(code, regex, reason, sizeof(reason));
	return error__say(err, EXIT_USAGE, -EINVAL, "no regular expression: %s: %s",
			  quote(&quoted, pattern), reason);
}

int filter__check(const char *pattern, struct error *err)
{
	regex_t regex;
	const int code = compile(&regex, pattern, err);

	if (!code)
		regfree(&regex);
	return code;
}

int filter__init(struct filter *filter, const struct dictionary *dictionary, const char *pattern,
		 struct error *err)
{
	const int code = compile(&filter->regex, pattern, err);

	if (code)
		return code;
	filter->pattern = pattern;
	filter->dictionary = dictionary;
	filter->nr_matches = dictionary->names.nr_items;
	filter->matches = xcalloc(filter->nr_matches + 1, 1);
	filter->functions = xcalloc(filter->nr_matches + 1, 1);
	return 0;
}

void filter__fini(struct filter *filter)
{
	regfree(&filter->regex);
	free(filter->functions);
	free(filter->matches);
}

bool filter__matches_text(const struct filter *filter, const char *text)
{
	const size_t length = text ? strnlen(text, MOST_BYTES) : 0;
	regmatch_t part = {.rm_eo = (regoff_t)length};

	if (!text)
		return false;
	/*
	 * A name as shown also matches literally: the parentheses of "f(int)" are groups of an
	 * expression.
	 */
	return !regexec(&filter->regex, text, 0, &part, REG_STARTEND) ||
	       memmem(text, length, filter->pattern, strlen(filter->pattern));
}

/* Matches a name of the dictionary; answers caches the result by name. */
static bool matches_name(struct filter *filter, unsigned char *answers, uint32_t id)
{
	const struct name *name = dictionary__name(filter->dictionary, id);
	unsigned char answer = id < filter->nr_matches ? answers[id] : MATCH_UNKNOWN;

	if (answer == MATCH_UNKNOWN)
		answer = filter__matches_text(filter, name->text) ||
					 (answers == filter->matches &&
					  filter__matches_text(filter, name->module))
				 ? MATCH_YES
				 : MATCH_NO;
	if (id < filter->nr_matches)
		answers[id] = answer;
	return answer == MATCH_YES;
}

bool filter__matches_frame(struct filter *filter, uint32_t frame)
{
	return matches_name(filter, filter->functions,
			    dictionary__frame_name_id(filter->dictionary, frame));
}

bool filter__matches_stack(struct filter *filter, uint32_t stack)
{
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(filter->dictionary, stack, &nr_frames);

	for (size_t i = 0; i < nr_frames; i++)
		if (matches_name(filter, filter->matches,
				 dictionary__frame_name_id(filter->dictionary, frames[i])))
			return true;
	return false;
}
