// SPDX-License-Identifier: GPL-2.0-only
#include "base/output/path_walk.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MAX_LINKS  40 /* same limit as the kernel's */
#define LINK_TAKEN INT_MIN

struct path_walk {
	int directory;
	int nr_links;
	bool makes;		 /* creates missing directories */
	bool needs_directory;	 /* a slash follows the name */
	char name[NAME_MAX + 1]; /* the next name */
	char rest[PATH_MAX];	 /* the rest of the path, without leading slashes */
};

/* ---- parsing the path ---- */

/* Enters a directory. fd: its descriptor, which is taken over, or negative errno. */
static int enter(struct path_walk *walk, int fd)
{
	if (fd < 0)
		return fd;
	if (walk->directory >= 0)
		close(walk->directory);
	walk->directory = fd;
	return 0;
}

static int enter_path(struct path_walk *walk, const char *path)
{
	const int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return enter(walk, fd < 0 ? -errno : fd);
}

/* Starts at the root if the rest is an absolute path. */
static int start(struct path_walk *walk)
{
	const size_t nr_slashes = strspn(walk->rest, "/");

	if (!nr_slashes)
		return 0;
	memmove(walk->rest, walk->rest + nr_slashes, strlen(walk->rest + nr_slashes) + 1);
	return enter_path(walk, "/");
}

/* Takes the next name off the rest. The root's name is ".". */
static int take_name(struct path_walk *walk)
{
	const size_t length = strcspn(walk->rest, "/");
	const size_t nr_slashes = strspn(walk->rest + length, "/");

	if (length > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(walk->name, walk->rest, length);
	walk->name[length] = '\0';
	if (!length)
		strcpy(walk->name, ".");
	walk->needs_directory = nr_slashes || !length;
	memmove(walk->rest, walk->rest + length + nr_slashes,
		strlen(walk->rest + length + nr_slashes) + 1);
	return 0;
}

/* Puts the target of a link before the rest. */
static int take_link(struct path_walk *walk, int link)
{
	char path[PATH_MAX];
	const ssize_t length = readlinkat(link, "", path, sizeof(path) - 1);
	const size_t nr_rest = strlen(walk->rest);

	if (length <= 0)
		return length < 0 ? -errno : -ENOENT;
	if (walk->nr_links++ == MAX_LINKS)
		return -ELOOP;
	if ((size_t)length + 1 + nr_rest >= sizeof(path))
		return -ENAMETOOLONG;
	path[length] = '\0';
	if (walk->needs_directory)
		strcat(path, "/");
	strcat(path, walk->rest);
	strcpy(walk->rest, path);
	return start(walk);
}

/* ---- links ---- */

static bool is_strangers(const struct path_walk *walk, const struct stat *link)
{
	struct stat directory;

	if (fstat(walk->directory, &directory))
		return true;
	return (directory.st_mode & S_ISVTX) && (directory.st_mode & (S_IWGRP | S_IWOTH)) &&
	       link->st_uid != geteuid() && link->st_uid != directory.st_uid;
}

/*
 * Whether the link is in /proc, where a link may lead to a file with no path, or with another one
 * than it shows. Only the kernel makes links there.
 */
static bool is_magic(int link)
{
	struct statfs system;

	return !fstatfs(link, &system) && system.f_type == PROC_SUPER_MAGIC;
}

/* ---- steps ---- */

/* Opens a name. A directory is tried first, as that triggers an automount. */
static int open_name(const struct path_walk *walk)
{
	const int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(walk->directory, walk->name, flags | O_DIRECTORY);

	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		fd = openat(walk->directory, walk->name, flags);
	if (fd < 0 && errno == ENOENT && walk->makes &&
	    (!mkdirat(walk->directory, walk->name, 0777) || errno == EEXIST))
		fd = openat(walk->directory, walk->name, flags);
	return fd < 0 ? -errno : fd;
}

/* Follows a link. Returns a descriptor, or LINK_TAKEN: the target was put before the rest. */
static int open_link(struct path_walk *walk, int link, const struct stat *status,
		     struct walked_path *place)
{
	int fd;

	place->is_linked |= !*walk->rest;
	if (is_strangers(walk, status))
		return -ESTRANGER;
	place->is_magic = is_magic(link);
	if (!place->is_magic) {
		const int code = take_link(walk, link);

		return code ? code : LINK_TAKEN;
	}
	fd = openat(walk->directory, walk->name, O_PATH | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Opens the next name. Returns a descriptor, LINK_TAKEN or another negative number. */
static int step(struct path_walk *walk, struct walked_path *place)
{
	const int fd = open_name(walk);
	struct stat status;
	int followed;

	place->is_magic = false;
	if (fd < 0)
		return fd;
	if (fstat(fd, &status))
		followed = -errno;
	else if (S_ISLNK(status.st_mode))
		followed = open_link(walk, fd, &status, place);
	else
		return fd;
	close(fd);
	return followed;
}

/* Ends the walk. fd: the last name's file, or negative errno. */
static int end(struct path_walk *walk, struct walked_path *place, int fd)
{
	struct stat status;

	if (fd == -ENOENT && walk->needs_directory)
		return -EISDIR;
	if (fd < 0 && fd != -ENOENT)
		return fd;
	if (fd >= 0 && walk->needs_directory && !fstat(fd, &status) && !S_ISDIR(status.st_mode)) {
		close(fd);
		return -ENOTDIR;
	}
	strcpy(place->name, walk->name);
	place->directory = walk->directory;
	place->fd = fd < 0 ? -1 : fd;
	return 0;
}

static int find(struct walked_path *place, const char *path, bool make)
{
	struct path_walk walk = {.directory = -1, .makes = make};
	bool is_over = false;
	int code, fd;

	*place = (struct walked_path){.directory = -1, .fd = -1};
	if (!*path)
		return -ENOENT;
	if (strlen(path) >= sizeof(walk.rest))
		return -ENAMETOOLONG;
	strcpy(walk.rest, path);
	code = *path == '/' ? start(&walk) : enter_path(&walk, ".");
	while (!code && !is_over) {
		code = take_name(&walk);
		fd = code ? code : step(&walk, place);
		if (fd == LINK_TAKEN)
			continue;
		is_over = !code && !*walk.rest;
		code = is_over ? end(&walk, place, fd) : enter(&walk, fd);
	}
	if (code && walk.directory >= 0)
		close(walk.directory);
	return code;
}

/* ---- places ---- */

int path_walk__find(struct walked_path *place, const char *path)
{
	return find(place, path, false);
}

void path_walk__close(struct walked_path *place)
{
	if (place->fd >= 0)
		close(place->fd);
	if (place->directory >= 0)
		close(place->directory);
	place->directory = place->fd = -1;
}

int path_walk__open(const struct walked_path *place, int flags, unsigned int mode)
{
	const int fd = openat(place->directory, place->name,
			      flags | O_CLOEXEC | (place->is_magic ? 0 : O_NOFOLLOW), mode);

	return fd < 0 ? -errno : fd;
}

int path_walk__open_directory(const char *path, bool make)
{
	struct walked_path place;
	int code = find(&place, path, make), fd;

	if (code)
		return code == -EISDIR ? -ENOENT : code;
	fd = path_walk__open(&place, O_RDONLY | O_DIRECTORY, 0);
	path_walk__close(&place);
	return fd;
}
