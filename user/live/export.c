// SPDX-License-Identifier: GPL-2.0-only
#include "live/export.h"

#include <time.h>
#include <unistd.h>

#include "actions/saver.h"
#include "base/output/destination.h"
#include "flame/flame.h"

#define MOST_PATHS 1000

/* "topstacks-20260131-123456.html", then "topstacks-20260131-123456-2.html" and so on. */
static char *path_of(const char *directory, const char *date, int nr, const char *extension)
{
	char number[16] = "", *path;

	if (nr > 1)
		snprintf(number, sizeof(number), "-%d", nr);
	if (asprintf(&path, "%s/topstacks-%s%s%s", directory ? directory : ".", date, number,
		     extension) < 0)
		return NULL;
	return path;
}

/*
 * Returns the path of a file that does not exist yet: the same picture may be written with several
 * filters. NULL: out of memory.
 */
static char *make_path(const struct live *live, const char *extension)
{
	time_t seconds = (time_t)(recording__end_ns(&live->picture->recording) / 1000000000);
	char *directory = getcwd(NULL, 0), *path, date[32] = "";
	struct tm tm;
	int nr = 1;

	if (localtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	path = path_of(directory, date, nr, extension);
	while (path && !access(path, F_OK) && nr < MOST_PATHS) {
		free(path);
		path = path_of(directory, date, ++nr, extension);
	}
	free(directory);
	return path;
}

/* ---- scaled samples converted to whole ones ---- */

/* Frees copies of the other events. They own their profiles and borrow the rest. */
static void free_whole(struct recording *more)
{
	struct recording *next;

	for (; more; more = next) {
		next = more->more;
		profile__free(more->profile);
		free(more);
	}
}

/*
 * *whole: the list that is made. The caller frees it, also after an error. 0 or -ENOMEM.
 */
static int make_whole(const struct recording *more, double unit, struct recording **whole)
{
	for (; more; more = more->more) {
		struct recording *copy = malloc(sizeof(*copy));

		if (!copy)
			return -ENOMEM;
		*copy = *more;
		copy->more = NULL;
		copy->profile = profile__scale(more->profile, 1 / unit, 1);
		*whole = copy;
		whole = &copy->more;
		if (!copy->profile)
			return -ENOMEM;
	}
	return 0;
}

/* ---- files ---- */

static int save(const struct live *live, const struct profile *profile, const char *path,
		struct error *err)
{
	struct recording interval = live->picture->recording, *whole = NULL;
	struct saver saver = {0};
	int code = saver__open(&saver, err);

	interval.profile = (struct profile *)profile; /* only read */
	interval.facts[FACT_TARGET] = live->target;
	if (!code && live->unit != 1) {
		code = make_whole(interval.more, live->unit, &whole) ? error__no_memory(err) : 0;
		interval.more = whole;
	}
	if (!code)
		code = saver__add(&saver, &interval, err);
	if (!code)
		code = saver__write(&saver, path, false, err);
	saver__close(&saver);
	free_whole(whole);
	return code;
}

static int draw(const struct live *live, const struct profile *profile, const char *path,
		struct error *err)
{
	const char *event = live->picture->recording.facts[FACT_EVENT];
	const struct flame_fact facts[] = {{fact__name(FACT_EVENT), event}};
	const struct flame_options options = {.title = live->target,
					      .facts = facts,
					      .nr_facts = event != NULL,
					      .merge = live->selection.merge};
	struct destination destination;
	int code = destination__open(&destination, path, DESTINATION_PRIVATE, err);

	if (code)
		return code;
	code = flame__write_page(destination.out, profile, &options);
	return destination__close(&destination, code, err);
}

int export__write(const struct live *live, bool flame_graph, char **path, struct error *err)
{
	const struct profile *shown = live->profile;
	struct profile *whole = NULL; /* converted to whole samples, if they are scaled */
	int code;

	*path = NULL;
	if (!live->picture || !shown)
		return error__say(err, EXIT_USAGE, -ENODATA, "there is nothing to write yet");
	if (!flame_graph)
		shown = live->picture->recording.profile;
	*path = make_path(live, flame_graph ? ".html" : ".pb.gz");
	if (live->unit != 1)
		whole = profile__scale(shown, 1 / live->unit, 1);
	if (!*path || (live->unit != 1 && !whole))
		code = error__no_memory(err);
	else
		code = (flame_graph ? draw : save)(live, whole ? whole : shown, *path, err);
	profile__free(whole);
	return code;
}
