// SPDX-License-Identifier: GPL-2.0-only
#include "base/replacement.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX	  ".tmp-"
#define KEPT	  ".kept-"
#define NR_DIGITS 8
#define MAX_TRIES 100

/* ---- names ---- */

bool replacement__is_temporary(const char *rest)
{
	return !strncmp(rest, SUFFIX, strlen(SUFFIX)) &&
	       strlen(rest) == strlen(SUFFIX) + NR_DIGITS &&
	       strspn(rest + strlen(SUFFIX), "0123456789abcdef") == NR_DIGITS;
}

/* NULL: out of memory. */
static char *temporary_name(const char *replaced)
{
	uint32_t number = 0;
	char *name;

	getrandom(&number, sizeof(number), 0); /* if there is none, O_EXCL still holds */
	return asprintf(&name, "%s" SUFFIX "%08x", replaced, number) < 0 ? NULL : name;
}

/* "." for a name alone; free() it. NULL: out of memory. */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

static const char *name_in(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A descriptor as a path that can be linked to. */
struct link {
	char path[64];
};

static const char *link_to(struct link *link, int fd)
{
	snprintf(link->path, sizeof(link->path), "/proc/self/fd/%d", fd);
	return link->path;
}

/* ---- what was left behind ---- */

int replacement__sweep(int directory, const char *name)
{
	const int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int code = 0;

	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) && unlinkat(directory, name, 0) &&
	    errno != ENOENT)
		code = -errno;
	if (fd >= 0)
		close(fd);
	return code;
}

static bool is_own(int directory, const char *name)
{
	struct stat status;

	return !fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) && S_ISREG(status.st_mode) &&
	       status.st_uid == geteuid();
}

/* That it cannot be removed does not keep anybody from writing another one. */
static void sweep_temporaries(const char *directory, const char *name)
{
	const size_t length = strlen(name);
	DIR *entries = opendir(directory);
	struct dirent *entry;

	while (entries && (entry = readdir(entries)))
		if (!strncmp(entry->d_name, name, length) &&
		    replacement__is_temporary(entry->d_name + length) &&
		    is_own(dirfd(entries), entry->d_name))
			replacement__sweep(dirfd(entries), entry->d_name);
	if (entries)
		closedir(entries);
}

/* ---- opening ---- */

/* A new file that is locked. -EAGAIN: somebody swept it away before it was. */
static int make_named(struct replacement *replacement)
{
	struct stat status;
	int fd;

	free(replacement->temporary);
	replacement->temporary = temporary_name(replacement->replaced);
	if (!replacement->temporary)
		return -ENOMEM;
	fd = open(replacement->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno == EEXIST ? -EAGAIN : -errno;
	if (flock(fd, LOCK_EX), !fstat(fd, &status) && !status.st_nlink) {
		close(fd);
		return -EAGAIN;
	}
	return fd;
}

static int open_named(struct replacement *replacement)
{
	int fd = -EAGAIN;

	for (int i = 0; i < MAX_TRIES && fd == -EAGAIN; i++)
		fd = make_named(replacement);
	if (fd < 0) {
		free(replacement->temporary);
		replacement->temporary = NULL;
	}
	return fd;
}

/* It gets its name by /proc. Negative errno: there is no such file here. */
static int open_nameless(const char *directory)
{
	const int fd = open(directory, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	struct link link;

	if (fd < 0)
		return -errno;
	if (access(link_to(&link, fd), F_OK)) {
		close(fd);
		return -ENOENT;
	}
	flock(fd, LOCK_EX);
	return fd;
}

int replacement__open(struct replacement *replacement, char *replaced)
{
	char *directory = directory_of(replaced);

	*replacement = (struct replacement){.fd = -ENOMEM, .replaced = replaced};
	if (directory) {
		sweep_temporaries(directory, name_in(replaced));
		replacement->fd = open_nameless(directory);
		if (replacement->fd < 0)
			replacement->fd = open_named(replacement);
	}
	free(directory);
	if (replacement->fd >= 0)
		return 0;
	free(replaced);
	replacement->replaced = NULL;
	return replacement->fd;
}

/* ---- taking the place ---- */

/* 0 or negative errno. */
static int give_name(const struct replacement *replacement, const char *name)
{
	struct link link;

	return linkat(AT_FDCWD, link_to(&link, replacement->fd), AT_FDCWD, name, AT_SYMLINK_FOLLOW)
		       ? -errno
		       : 0;
}

static int give_temporary_name(struct replacement *replacement)
{
	int code = -EEXIST;

	for (int i = 0; i < MAX_TRIES && code == -EEXIST; i++) {
		free(replacement->temporary);
		replacement->temporary = temporary_name(replacement->replaced);
		if (!replacement->temporary)
			return -ENOMEM;
		code = give_name(replacement, replacement->temporary);
	}
	if (code) {
		free(replacement->temporary);
		replacement->temporary = NULL;
	}
	return code;
}

/* A link replaces nothing; a rename does, and needs a name. */
static int give_place(struct replacement *replacement)
{
	int code = -EEXIST;

	if (!replacement->temporary)
		code = give_name(replacement, replacement->replaced);
	if (code != -EEXIST)
		return code;
	code = replacement->temporary ? 0 : give_temporary_name(replacement);
	if (!code && rename(replacement->temporary, replacement->replaced))
		code = -errno;
	return code;
}

/* A name is on the disk when its directory is. */
static void sync_directory(const char *path)
{
	char *directory = directory_of(path);
	const int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(directory);
}

/* Under a name that nobody sweeps. NULL: it has no name. */
static char *keep(const struct replacement *replacement)
{
	const char *temporary = replacement->temporary;
	char *kept;

	if (!temporary)
		return NULL;
	if (asprintf(&kept, "%s" KEPT "%s", replacement->replaced,
		     temporary + strlen(temporary) - NR_DIGITS) < 0)
		return NULL;
	if (!rename(temporary, kept))
		return kept;
	free(kept);
	return strdup(temporary);
}

static void forget(struct replacement *replacement)
{
	free(replacement->replaced);
	free(replacement->temporary);
	replacement->replaced = replacement->temporary = NULL;
}

int replacement__take_place(struct replacement *replacement, char **kept)
{
	int code = fsync(replacement->fd) ? -errno : 0;

	*kept = NULL;
	if (code) {
		replacement__abandon(replacement);
		return code;
	}
	code = give_place(replacement);
	if (code)
		*kept = keep(replacement);
	else
		sync_directory(replacement->replaced);
	forget(replacement);
	return code;
}

void replacement__abandon(struct replacement *replacement)
{
	if (replacement->temporary)
		unlink(replacement->temporary);
	forget(replacement);
}
