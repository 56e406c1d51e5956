// SPDX-License-Identifier: GPL-2.0-only
#include "base/output/replacement.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"

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

/* A temporary name for a file; free() it. */
static char *temporary_name(const char *replaced)
{
	uint32_t number = 0;

	getrandom(&number, sizeof(number), 0); /* without random numbers, O_EXCL still prevents a
					        * clash */
	return xasprintf("%s" SUFFIX "%08x", replaced, number);
}

/* The path in /proc of a descriptor, which can be linked to a name. */
struct link {
	char path[64];
};

static const char *link_to(struct link *link, int fd)
{
	snprintf(link->path, sizeof(link->path), "/proc/self/fd/%d", fd);
	return link->path;
}

/* ---- abandoned files ---- */

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

/* Opens a directory for reading; the given descriptor may be O_PATH. */
static int open_directory(int directory)
{
	return openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/*
 * Removes abandoned temporary files of ours. A failure is ignored, as it does not prevent a new
 * file.
 */
static void sweep_temporaries(int directory, const char *name)
{
	const size_t length = strlen(name);
	const int fd = open_directory(directory);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat status;

	while (entries && (entry = readdir(entries)))
		if (!strncmp(entry->d_name, name, length) &&
		    replacement__is_temporary(entry->d_name + length) &&
		    !fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) &&
		    S_ISREG(status.st_mode) && status.st_uid == geteuid())
			replacement__sweep(fd, entry->d_name);
	if (entries)
		closedir(entries);
	else if (fd >= 0)
		close(fd);
}

/* ---- opening ---- */

/*
 * Creates and locks a file with a name. -EAGAIN: another process swept it away before it was
 * locked.
 */
static int make_named(struct replacement *replacement)
{
	struct stat status;
	int fd;

	free(replacement->temporary);
	replacement->temporary = temporary_name(replacement->replaced);
	fd = openat(replacement->directory, replacement->temporary,
		    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
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

static void forget(struct replacement *replacement)
{
	if (replacement->replaced)
		close(replacement->directory);
	free(replacement->replaced);
	free(replacement->temporary);
	replacement->replaced = replacement->temporary = NULL;
}

int replacement__open(struct replacement *replacement, int directory, const char *name)
{
	struct link link;
	int fd;

	*replacement = (struct replacement){.directory = directory, .replaced = xstrdup(name)};
	sweep_temporaries(directory, name);

	/* A file without a name, if it can get one by a link from /proc. */
	fd = openat(directory, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	if (fd >= 0 && access(link_to(&link, fd), F_OK)) {
		close(fd);
		fd = -1;
	}
	if (fd >= 0)
		flock(fd, LOCK_EX);
	else
		fd = open_named(replacement);
	replacement->fd = fd;
	if (fd >= 0)
		return 0;
	forget(replacement);
	return fd;
}

/* ---- giving names ---- */

/* Links the file to a name. 0 or negative errno. */
static int give_name(const struct replacement *replacement, const char *name)
{
	struct link link;

	return linkat(AT_FDCWD, link_to(&link, replacement->fd), replacement->directory, name,
		      AT_SYMLINK_FOLLOW)
		       ? -errno
		       : 0;
}

static int give_temporary_name(struct replacement *replacement)
{
	int code = -EEXIST;

	for (int i = 0; i < MAX_TRIES && code == -EEXIST; i++) {
		free(replacement->temporary);
		replacement->temporary = temporary_name(replacement->replaced);
		code = give_name(replacement, replacement->temporary);
	}
	if (code) {
		free(replacement->temporary);
		replacement->temporary = NULL;
	}
	return code;
}

/* ---- files that may not be linked ---- */

static int copy_bytes(int from, int to)
{
	char bytes[8192];
	off_t at = 0;
	ssize_t nr;

	while ((nr = pread(from, bytes, sizeof(bytes), at)) > 0) {
		const int code = files__write(to, bytes, (size_t)nr);

		if (code)
			return code;
		at += nr;
	}
	if (nr < 0 || fsync(to))
		return -errno;
	return 0;
}

void replacement__take_after(int fd, const struct stat *other)
{
	/* The owner first: a change of owner clears bits of the mode. */
	if (fchown(fd, other->st_uid, other->st_gid) && fchown(fd, (uid_t)-1, other->st_gid)) {
		/* On failure it stays ours. */
	}
	if (fchmod(fd, other->st_mode & 0777)) {
		/* On failure it keeps its own mode. */
	}
}

/*
 * Makes a named copy, which becomes replacement->fd. The kernel lets only the owner of a file link
 * it (sysctl fs.protected_hardlinks), and the file may belong to the owner of the old one.
 */
static int copy_to_named(struct replacement *replacement)
{
	const int fd = open_named(replacement);
	int code = fd < 0 ? fd : copy_bytes(replacement->fd, fd);
	struct stat status;

	if (!code) {
		if (!fstat(replacement->fd, &status))
			replacement__take_after(fd, &status);
		code = dup3(fd, replacement->fd, O_CLOEXEC) < 0 ? -errno : 0;
	}
	if (code && fd >= 0) {
		unlinkat(replacement->directory, replacement->temporary, 0);
		free(replacement->temporary);
		replacement->temporary = NULL;
	}
	if (fd >= 0)
		close(fd);
	return code;
}

/* ---- taking the place ---- */

/*
 * Gives the file its name: by a link, which cannot replace an existing file, or else by a temporary
 * name and a rename.
 */
static int give_place(struct replacement *replacement)
{
	int code = -EEXIST;

	if (!replacement->temporary)
		code = give_name(replacement, replacement->replaced);
	if (!code)
		return 0;
	if (!replacement->temporary && code == -EEXIST)
		code = give_temporary_name(replacement);
	if (!replacement->temporary && copy_to_named(replacement))
		return code;
	return renameat(replacement->directory, replacement->temporary, replacement->directory,
			replacement->replaced)
		       ? -errno
		       : 0;
}

/*
 * Keeps the complete file under a name that is not swept, and returns its path; free() it. NULL: it
 * has no name.
 */
static char *keep(const struct replacement *replacement)
{
	const char *temporary = replacement->temporary;
	char directory[PATH_MAX], *kept, *path;
	struct link link;
	ssize_t length;

	if (!temporary)
		return NULL;
	kept = xasprintf("%s" KEPT "%s", replacement->replaced,
			 temporary + strlen(temporary) - NR_DIGITS);
	if (renameat(replacement->directory, temporary, replacement->directory, kept)) {
		free(kept);
		kept = xstrdup(temporary);
	}
	length = readlink(link_to(&link, replacement->directory), directory, sizeof(directory));
	if (length <= 0 || (size_t)length == sizeof(directory))
		return kept;
	path = xasprintf("%.*s/%s", (int)length, directory, kept);
	free(kept);
	return path;
}

int replacement__take_place(struct replacement *replacement, char **kept)
{
	int code = fsync(replacement->fd) ? -errno : 0, directory;

	*kept = NULL;
	if (code) {
		replacement__abandon(replacement);
		return code;
	}
	code = give_place(replacement);
	if (code) {
		*kept = keep(replacement);
	} else {
		/* Only when the directory is synced the name is on the disk. */
		directory = open_directory(replacement->directory);
		if (directory >= 0) {
			fsync(directory);
			close(directory);
		}
	}
	forget(replacement);
	return code;
}

void replacement__abandon(struct replacement *replacement)
{
	if (replacement->temporary)
		unlinkat(replacement->directory, replacement->temporary, 0);
	forget(replacement);
}
