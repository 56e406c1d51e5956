// SPDX-License-Identifier: GPL-2.0-only
/* Samples by what is in their stacks. A name is matched once, however many frames have it. */
#include "profile/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "profile/interned.h"
#include "profile/recording.h"

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

/* Replaces the profile by those of its samples that match, or that do not. */
static int keep_matching(struct profile **profile, struct filter *filter, bool wanted)
{
	struct profile *kept = profile__new_like(*profile, profile__dictionary(*profile));
	size_t nr_samples;
	const struct sample *samples = profile__samples(*profile, &nr_samples);
	int code = kept ? 0 : -ENOMEM;

	for (size_t i = 0; i < nr_samples && !code; i++)
		if (filter__matches_stack(filter, samples[i].stack) == wanted)
			code = profile__add(kept, &samples[i]);
	if (code) {
		profile__free(kept);
		return code;
	}
	profile__free(*profile);
	*profile = kept;
	return 0;
}

static int apply(struct recording *recording, const char *pattern, bool wanted, struct error *err)
{
	struct filter filter;
	int code;

	if (!pattern)
		return 0;
	code = filter__init(&filter, profile__dictionary(recording->profile), pattern, err);
	if (code)
		return code;
	code = keep_matching(&recording->profile, &filter, wanted);
	for (size_t i = 0; i < recording->nr_slices && !code; i++)
		if (recording->slices[i])
			code = keep_matching(&recording->slices[i], &filter, wanted);
	filter__fini(&filter);
	return code ? error__no_memory(err) : 0;
}

int recording__filter(struct recording *recording, const char *focus, const char *ignore,
		      struct error *err)
{
	int code = apply(recording, focus, true, err);

	return code ? code : apply(recording, ignore, false, err);
}
