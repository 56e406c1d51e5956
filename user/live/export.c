// SPDX-License-Identifier: GPL-2.0-only
#include "live/export.h"

#include <time.h>
#include <unistd.h>

#include "actions/saver.h"
#include "base/output/destination.h"
#include "flame/flame.h"

#define MOST_PATHS 1000

/*
 * Returns the path of a file that does not exist yet, as the same picture may be written with
 * several filters: "topstacks-20260131-123456.html", then "topstacks-20260131-123456-2.html".
 */
static char *make_path(const struct live *live, const char *extension)
{
	time_t seconds = (time_t)(recording__end_ns(&live->picture->recording) / 1000000000);
	char *directory = getcwd(NULL, 0), *path = NULL, date[32] = "", number[16] = "";
	int nr = 0;
	struct tm tm;

	if (localtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	do {
		free(path);
		if (++nr > 1)
			snprintf(number, sizeof(number), "-%d", nr);
		path = xasprintf("%s/topstacks-%s%s%s", directory ? directory : ".", date, number,
				 extension);
	} while (!access(path, F_OK) && nr < MOST_PATHS);
	free(directory);
	return path;
}

/* Saves all events. Other events are copied if their samples are scaled, to make them whole. */
static int save(const struct live *live, const struct profile *profile, const char *path,
		struct error *err)
{
	struct recording interval = live->picture->recording, *copies = NULL, *copy;
	struct recording **last = &copies;
	struct saver saver = {0};
	int code;

	saver__open(&saver);
	interval.profile = (struct profile *)profile; /* only read */
	interval.facts[FACT_TARGET] = live->target;
	for (const struct recording *more = interval.more; more && live->unit != 1;
	     more = more->more) {
		copy = xmalloc(sizeof(*copy));
		*copy = *more;
		copy->more = NULL;
		copy->profile = profile__scale(more->profile, 1 / live->unit, 1);
		*last = copy;
		last = &copy->more;
	}
	if (copies)
		interval.more = copies;
	code = saver__add(&saver, &interval, err);
	if (!code)
		code = saver__write(&saver, path, false, err);
	saver__close(&saver);
	while ((copy = copies)) {
		copies = copy->more;
		profile__free(copy->profile);
		free(copy);
	}
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
	code = (flame_graph ? draw : save)(live, whole ? whole : shown, *path, err);
	profile__free(whole);
	return code;
}
