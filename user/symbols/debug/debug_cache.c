// SPDX-License-Identifier: GPL-2.0-only
/*
 * The places are those of elfutils' library, which gdb and others use as well
 * (debuginfod_find_debuginfo(3)):
 *
 *	$DEBUGINFOD_CACHE_PATH
 *	$HOME/.debuginfod_client_cache		if it is there
 *	$XDG_CACHE_HOME/debuginfod_client
 *	$HOME/.cache/debuginfod_client
 *
 * The environment is the caller's, like the command line. The files that it leads to are opened
 * with the caller's rights, and only readers read them.
 */
#include "symbols/debug/debug_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/output/user_cache.h"

#define DAY_S	  86400
#define NR_RANDOM 6

/*
 * Removes the partial files last written in [from, to). elfutils' library writes to
 * BUILD-ID/debuginfo.XXXXXX, and renames that when it is whole.
 */
static void remove_all(int cache, const char *build_id, long long from, long long to)
{
	static const char start[] = "debuginfo.";
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
		if (strlen(entry->d_name) == strlen(start) + NR_RANDOM &&
		    !strncmp(entry->d_name, start, strlen(start)) &&
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

#define OWN_NAME "/debuginfod_client"

/* Writes the place of the cache, or "" if there is none. */
static void find(char *path)
{
	const char *home = user_cache__variable("HOME"), *own = getenv("DEBUGINFOD_CACHE_PATH");

	if (own && *own) {
		if (snprintf(path, PATH_MAX, "%s", own) >= PATH_MAX)
			*path = '\0';
	} else if (!home ||
		   snprintf(path, PATH_MAX, "%s/.debuginfod_client_cache", home) >= PATH_MAX ||
		   access(path, F_OK)) {
		user_cache__find(path, OWN_NAME);
	}
}

int debug_cache__open(char *path)
{
	find(path);
	return user_cache__open(path);
}

int debug_cache__make(char *path)
{
	find(path);
	return user_cache__make(path);
}

int debug_cache__check_writable(const char *path)
{
	return faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) ? -errno : 0;
}

const char *debug_cache__why(int code)
{
	switch (-code) {
	case ENOTOURS:
		return "as it is somebody else's";
	case EOTHERSWRITE:
		return "as others may write to it";
	case ERELATIVE:
		return "as its path does not begin with /";
	default:
		return NULL;
	}
}
