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

#include "base/shortage.h"

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

#define OWN_NAME "debuginfod_client"

/* The value of a variable; NULL: it is not set, or no absolute path. */
static const char *path_in(const char *variable)
{
	const char *value = getenv(variable);

	return value && value[0] == '/' ? value : NULL;
}

static bool put(char *path, const char *directory, const char *rest)
{
	return directory && snprintf(path, PATH_MAX, "%s%s", directory, rest) < PATH_MAX;
}

/* Checks owner and mode. 0, -ENOTOURS or -EOTHERSWRITE. */
static int check(int fd)
{
	struct stat status;

	if (fstat(fd, &status) || status.st_uid != geteuid())
		return -ENOTOURS;
	return status.st_mode & (S_IWGRP | S_IWOTH) ? -EOTHERSWRITE : 0;
}

bool debug_cache__is_ours(int fd)
{
	return !check(fd);
}

int debug_cache__open(char *path)
{
	const char *home = path_in("HOME"), *own = getenv("DEBUGINFOD_CACHE_PATH");
	bool is_known;
	int fd, code;

	if (own && *own)
		is_known = put(path, own, "");
	else
		is_known = (put(path, home, "/.debuginfod_client_cache") && !access(path, F_OK)) ||
			   put(path, path_in("XDG_CACHE_HOME"), "/" OWN_NAME) ||
			   put(path, home, "/.cache/" OWN_NAME);
	if (!is_known) {
		path[0] = '\0';
		return -ENOENT;
	}
	if (*path != '/')
		return -ERELATIVE;
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		code = shortage__of_descriptor(errno);
		return shortage__is(code) ? code : -ENOENT;
	}
	code = check(fd);
	if (code)
		close(fd);
	return code ? code : fd;
}

/* ---- creating the cache ---- */

/*
 * Whether the owner is trusted: us, or root. In a user namespace that does not map root, the owner
 * of "/" counts as root.
 */
static bool is_trusted(const struct stat *status)
{
	struct stat top;

	return status->st_uid == geteuid() || (!stat("/", &top) && status->st_uid == top.st_uid);
}

static bool is_others(const char *path, bool only_links)
{
	struct stat status;

	if (lstat(path, &status)) /* a path that does not exist belongs to no other user */
		return false;
	if (!is_trusted(&status) && (!only_links || S_ISLNK(status.st_mode)))
		return true;
	return !only_links && !stat(path, &status) && !is_trusted(&status);
}

/*
 * Whether another user owns a directory or a link on the path. Such a user could have us create
 * directories anywhere, or, by a link, write into any of our files. path is unchanged afterwards.
 */
static bool leads_through_others(char *path, bool only_links)
{
	bool is_found = is_others(path, only_links);

	for (char *slash = strchr(path + 1, '/'); slash && !is_found;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		is_found = is_others(path, only_links);
		*slash = '/';
	}
	return is_found;
}

int debug_cache__make(char *path)
{
	int fd = debug_cache__open(path), code = 0;
	struct stat status;
	char *slash;

	if (fd >= 0 && leads_through_others(path, true)) {
		close(fd);
		return -ENOTOURS;
	}
	if (fd != -ENOENT || !*path)
		return fd;
	if (leads_through_others(path, false))
		return -ENOTOURS;

	/* Creates it, and its parent if that is missing too. */
	slash = strrchr(path, '/');
	if (slash != path) {
		*slash = '\0';
		code = mkdir(path, 0700) && errno != EEXIST ? -errno : 0;
		*slash = '/';
	}
	if (!code && mkdir(path, 0700))
		code = -errno;
	fd = debug_cache__open(path);
	if (!code || fd != -ENOENT)
		return fd;
	if (code != -EEXIST)
		return code;
	/* A dangling link is there, or a file that is no directory. */
	return lstat(path, &status) || S_ISLNK(status.st_mode) ? -ENOLINK : -ENOTDIR;
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
