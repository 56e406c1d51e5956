// SPDX-License-Identifier: GPL-2.0-only
/* elfutils' library writes to BUILD-ID/debuginfo.XXXXXX, and renames that when it is whole. */
#include "symbols/debug/debug_leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DAY_S 86400

#define START	   "debuginfo."
#define NR_RANDOM  6
#define NAME_BYTES (sizeof(START) - 1 + NR_RANDOM)

static bool is_temporary(const char *name)
{
	return strlen(name) == NAME_BYTES && !strncmp(name, START, sizeof(START) - 1);
}

/* Those that were written to in [from, to). */
static void remove_all(int cache, const char *build_id, long long from, long long to)
{
	const int fd = openat(cache, build_id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	struct stat status;

	if (!directory) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(directory)) != NULL)
		if (is_temporary(entry->d_name) &&
		    !fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) &&
		    status.st_mtime >= from && status.st_mtime < to)
			unlinkat(fd, entry->d_name, 0);
	closedir(directory);
}

void debug_leftovers__remove_old(int cache, const char *build_id)
{
	remove_all(cache, build_id, LLONG_MIN, (long long)time(NULL) - DAY_S);
}

void debug_leftovers__remove_since(int cache, const char *build_id, long long since)
{
	remove_all(cache, build_id, since, LLONG_MAX);
}
