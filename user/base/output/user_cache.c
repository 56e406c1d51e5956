// SPDX-License-Identifier: GPL-2.0-only
#include "base/output/user_cache.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shortage.h"

const char *user_cache__variable(const char *variable)
{
	const char *value = getenv(variable);

	return value && value[0] == '/' ? value : NULL;
}

void user_cache__find(char *path, const char *name)
{
	const char *own = user_cache__variable("XDG_CACHE_HOME");
	const char *home = user_cache__variable("HOME");

	if (own && snprintf(path, PATH_MAX, "%s%s", own, name) < PATH_MAX)
		return;
	if (!home || snprintf(path, PATH_MAX, "%s/.cache%s", home, name) >= PATH_MAX)
		*path = '\0';
}

/* Checks owner and mode. 0, -ENOTOURS or -EOTHERSWRITE. */
static int check(int fd)
{
	struct stat status;

	if (fstat(fd, &status) || status.st_uid != geteuid())
		return -ENOTOURS;
	return status.st_mode & (S_IWGRP | S_IWOTH) ? -EOTHERSWRITE : 0;
}

bool user_cache__is_ours(int fd)
{
	return !check(fd);
}

int user_cache__open(const char *path)
{
	int fd, code;

	if (!*path)
		return -ENOENT;
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

/* ---- creating ---- */

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

int user_cache__make(char *path)
{
	int fd = user_cache__open(path), code = 0;
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
	fd = user_cache__open(path);
	if (!code || fd != -ENOENT)
		return fd;
	if (code != -EEXIST)
		return code;
	/* A dangling link is there, or a file that is no directory. */
	return lstat(path, &status) || S_ISLNK(status.st_mode) ? -ENOLINK : -ENOTDIR;
}
