// SPDX-License-Identifier: GPL-2.0-only
#include "actions/fetch_symbols.h"

#include "profile/recording.h"
#include "symbols/debug/debuginfod.h"

#define MAX_FILES 8192 /* further files are not fetched, which is told */

struct wanted_file {
	struct map_item item;
	char *build_id, *path;
	uint64_t weight;      /* of the samples with a frame that lacks something */
	uint64_t last_sample; /* the sample whose weight was added last */
	bool is_complete;
	bool is_asked, is_told;
	int code; /* result of the fetch */
};

struct fetching {
	struct debuginfod *servers;
	struct map files;
	uint64_t nr_samples;
	bool has_more; /* there were more than MAX_FILES */
};

/* ---- life ---- */

static int equals_wanted(const void *item, const void *key)
{
	const struct wanted_file *a = item, *b = key;

	return !strcmp(a->build_id, b->build_id);
}

static void free_wanted(void *item)
{
	struct wanted_file *wanted = item;

	free(wanted->build_id);
	free(wanted->path);
	free(wanted);
}

int fetching__start(struct fetching **out, const char *urls, struct error *err)
{
	struct fetching *fetching = xcalloc(1, sizeof(*fetching));
	int code;

	map__init(&fetching->files, equals_wanted, free_wanted);
	code = debuginfod__start(&fetching->servers, urls, err);
	if (code)
		fetching__stop(fetching);
	else
		*out = fetching;
	return code;
}

void fetching__stop(struct fetching *fetching)
{
	if (!fetching)
		return;
	debuginfod__stop(fetching->servers);
	map__fini(&fetching->files);
	free(fetching);
}

/* ---- the wanted files ---- */

/* Finds or adds the file of a frame. NULL: there are too many files. */
static struct wanted_file *find_wanted(struct fetching *fetching, const struct frame *frame)
{
	struct wanted_file key = {.build_id = (char *)frame->build_id}, *wanted;

	key.item.hash = map__hash(&fetching->files, key.build_id, strlen(key.build_id));
	wanted = map__find(&fetching->files, &key.item);
	if (wanted)
		return wanted;
	if (map__nr_items(&fetching->files) >= MAX_FILES) {
		fetching->has_more = true;
		return NULL;
	}
	wanted = xcalloc(1, sizeof(*wanted));
	wanted->item = key.item;
	wanted->build_id = xstrdup(frame->build_id);
	wanted->path = xstrdup(frame->path ? frame->path : "");
	map__add(&fetching->files, &wanted->item);
	return wanted;
}

static void add_frame(struct fetching *fetching, const struct frame *frame,
		      const struct lacks *lacks, uint64_t value)
{
	const enum lack lack = frame->kind == FRAME_USER && frame->build_id
				       ? lacks->of(lacks->context, frame)
				       : LACK_NO;
	struct wanted_file *wanted = lack != LACK_NO ? find_wanted(fetching, frame) : NULL;

	if (!wanted)
		return;
	wanted->is_complete |= lack == LACK_NEVER;
	if (lack == LACK_YES && wanted->last_sample != fetching->nr_samples)
		wanted->weight += value;
	wanted->last_sample = fetching->nr_samples;
}

static void add_profile(struct fetching *fetching, const struct profile *profile,
			const struct lacks *lacks)
{
	const struct dictionary *dictionary = profile__dictionary(profile);
	const enum value shown = profile__metrics(profile)->shown;
	size_t nr_samples, nr_frames;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		const uint32_t *frames =
			dictionary__stack(dictionary, samples[i].stack, &nr_frames);

		fetching->nr_samples++;
		for (size_t j = 0; j < nr_frames; j++)
			add_frame(fetching, dictionary__frame(dictionary, frames[j]), lacks,
				  samples[i].values[shown]);
	}
}

static bool forget_weight(void *item, void *nothing)
{
	struct wanted_file *wanted = item;

	(void)nothing;
	wanted->weight = 0;
	wanted->is_complete = false;
	return false;
}

struct wanted_list {
	struct wanted_file **list;
	size_t nr;
};

static bool list_wanted(void *item, void *context)
{
	struct wanted_list *wanted = context;
	struct wanted_file *one = item;

	if (one->weight && !one->is_complete && !one->is_asked)
		wanted->list[wanted->nr++] = one;
	return false;
}

static int by_weight(const void *left, const void *right)
{
	const struct wanted_file *a = *(struct wanted_file *const *)left,
				 *b = *(struct wanted_file *const *)right;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return strcmp(a->build_id, b->build_id);
}

/* ---- fetching ---- */

size_t fetching__get(struct fetching *fetching, struct readers *readers,
		     const struct recording *recording, const struct lacks *lacks)
{
	struct wanted_list wanted = {0};
	size_t nr_fetched = 0;

	map__visit(&fetching->files, forget_weight, NULL);
	for (const struct recording *event = recording; event; event = event->more)
		add_profile(fetching, event->profile, lacks);
	wanted.list = xcalloc(map__nr_items(&fetching->files) + 1, sizeof(*wanted.list));
	map__visit(&fetching->files, list_wanted, &wanted);
	qsort(wanted.list, wanted.nr, sizeof(*wanted.list), by_weight);
	for (size_t i = 0; i < wanted.nr; i++) {
		struct wanted_file *one = wanted.list[i];

		one->is_asked = true;
		one->code = debuginfod__fetch(fetching->servers, readers, one->build_id);
		if (!one->code && lacks->on_fetched)
			lacks->on_fetched(lacks->context, one->build_id);
		nr_fetched += !one->code;
	}
	free(wanted.list);
	return nr_fetched;
}

/* ---- telling ---- */

/*
 * The files that were not fetched for one reason. `first` is the first by build ID, so that each
 * run names the same file.
 */
struct untold {
	struct wanted_file *first;
	const char *why;
	size_t nr;
};

static bool find_untold(void *item, void *context)
{
	struct wanted_file *wanted = item;
	struct untold *untold = context;

	if (!wanted->code || wanted->is_told)
		return false;
	if (!untold->why)
		untold->why = debuginfod__why(wanted->code);
	if (strcmp(debuginfod__why(wanted->code), untold->why) != 0)
		return false;
	wanted->is_told = true;
	untold->nr++;
	if (!untold->first || strcmp(wanted->build_id, untold->first->build_id) < 0)
		untold->first = wanted;
	return false;
}

void fetching__tell(struct fetching *fetching)
{
	struct untold untold;

	do {
		untold = (struct untold){0};
		map__visit(&fetching->files, find_untold, &untold);
		if (untold.nr) {
			const char *slash = strrchr(untold.first->path, '/');

			fputs("topstacks: no debug file fetched for ", stderr);
			text__print_safe(stderr, slash ? slash + 1 : "[unknown]", 60);
			fputs(" (build ID ", stderr);
			text__print_safe(stderr, untold.first->build_id, 0);
			fputc(')', stderr);
			if (untold.nr > 1)
				fprintf(stderr, " and %zu other file%s", untold.nr - 1,
					untold.nr == 2 ? "" : "s");
			fprintf(stderr, ": %s\n", untold.why);
		}
	} while (untold.nr);
	if (fetching->has_more)
		fprintf(stderr, "topstacks: no debug files fetched for files beyond the first %d\n",
			MAX_FILES);
	fetching->has_more = false;
}
