// SPDX-License-Identifier: GPL-2.0-only
#include "capture/process_ends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/rights.h"
#include "processes/procfs.h"

int process_ends__init(struct process_ends *ends)
{
	int code = map__init_numbers(&ends->single, free);

	return code ? code : map__init_numbers(&ends->leaderless, free);
}

void process_ends__fini(struct process_ends *ends)
{
	map__fini(&ends->single);
	map__fini(&ends->leaderless);
}

bool process_ends__forked(struct process_ends *ends, int32_t pid)
{
	map__note_number(&ends->single, (uint32_t)pid); /* without memory, /proc is asked */
	return map__remove_number(&ends->leaderless, (uint32_t)pid);
}

void process_ends__cloned(struct process_ends *ends, int32_t pid)
{
	map__remove_number(&ends->single, (uint32_t)pid);
}

void process_ends__execed(struct process_ends *ends, int32_t pid)
{
	map__note_number(&ends->single, (uint32_t)pid);
	map__remove_number(&ends->leaderless, (uint32_t)pid);
}

bool process_ends__leader_exited(struct process_ends *ends, int32_t pid)
{
	if (map__remove_number(&ends->single, (uint32_t)pid))
		return true;
	/* no memory: nobody could be asked */
	return map__note_number(&ends->leaderless, (uint32_t)pid) != 0;
}

/*
 * 4711 (name) Z 1 4711 4711 0 -1 4228300 0 0 0 0 1 2 0 0 20 0 3 ...
 *             state                                  threads: field 20
 *
 * A leader that has exited is a zombie, and is counted, until its parent has heard of the end.
 */
static bool is_last_word(const char *stat)
{
	const char *fields = strrchr(stat, ')');
	long nr_threads;
	char state;

	if (!fields ||
	    sscanf(fields,
		   ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld",
		   &state, &nr_threads) != 2)
		return false;
	return (state == 'Z' || state == 'X') && nr_threads <= 1;
}

static bool has_ended(int32_t pid)
{
	char path[32], *stat;
	uint64_t before;
	bool ended;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	before = rights__raise(RIGHTS_TO_LOOK); /* /proc may hide others' (hidepid) */
	ended = !procfs__is_ours() || files__read(path, 4096, &stat, NULL);
	rights__restore(before);
	if (ended)
		return true;
	ended = is_last_word(stat);
	free(stat);
	return ended;
}

struct collection {
	void (*on_end)(void *context, int32_t pid);
	void *context;
};

static bool collect(void *item, void *context)
{
	const struct collection *collection = context;
	int32_t pid = (int32_t)((struct map_number *)item)->number;

	if (!has_ended(pid))
		return false;
	collection->on_end(collection->context, pid);
	return true;
}

void process_ends__collect(struct process_ends *ends, void (*on_end)(void *context, int32_t pid),
			   void *context)
{
	struct collection collection = {on_end, context};

	map__visit(&ends->leaderless, collect, &collection);
}

void process_ends__doubt(struct process_ends *ends)
{
	map__clear(&ends->single);
}
