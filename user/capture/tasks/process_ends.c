// SPDX-License-Identifier: GPL-2.0-only
#include "capture/tasks/internal.h"

#include "base/files.h"
#include "base/system/rights.h"
#include "processes/procfs.h"

#define MAX_STATUS_BYTES 65536

void process_ends__init(struct process_ends *ends)
{
	map__init_numbers(&ends->single, free);
	map__init_numbers(&ends->leaderless, free);
}

void process_ends__fini(struct process_ends *ends)
{
	map__fini(&ends->single);
	map__fini(&ends->leaderless);
}

bool process_ends__forked(struct process_ends *ends, int32_t pid)
{
	map__note_number(&ends->single, (uint32_t)pid);
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
	map__note_number(&ends->leaderless, (uint32_t)pid);
	return false;
}

/*
 * Parses /proc/PID/status:
 *
 *	State:	Z (zombie)
 *	Threads:	3
 *
 * Returns true if the leader is the last thread and has exited. Such a leader is a zombie, and is
 * counted, until its parent has reaped it. Newlines in a process's name are escaped, so a line that
 * begins with "State:" or "Threads:" is the kernel's.
 */
static bool is_last_word(const char *status)
{
	const char *state = strstr(status, "\nState:"), *threads = strstr(status, "\nThreads:");
	long nr_threads;
	char letter;

	if (!state || !threads || sscanf(state, " State: %c", &letter) != 1 ||
	    sscanf(threads, " Threads: %ld", &nr_threads) != 1)
		return false;
	return (letter == 'Z' || letter == 'X') && nr_threads <= 1;
}

/*
 * Asks /proc whether the process has ended. status, unlike stat, never makes the reader wait for
 * the process.
 */
static bool has_ended(int32_t pid)
{
	char path[32], *status;
	uint64_t before;
	bool ended;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	/* /proc may hide other users' processes (hidepid) */
	before = rights__raise(RIGHTS_TO_LOOK);
	ended = !procfs__is_ours() || files__read(path, MAX_STATUS_BYTES, &status, NULL);
	rights__restore(before);
	if (ended)
		return true;
	ended = is_last_word(status);
	free(status);
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
