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

/* A temporary name for a file; free() it. NULL: out of memory. */
static char *temporary_name(const char *replaced)
{
	uint32_t number = 0;
	char *name;

	getrandom(&number, sizeof(number), 0); /* without random numbers, O_EXCL still prevents a
					        * clash */
	return asprintf(&name, "%s" SUFFIX "%08x", replaced, number) < 0 ? NULL : name;
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

static bool is_own(int directory, const char *name)
{
	struct stat status;

	return !fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) && S_ISREG(status.st_mode) &&
	       status.st_uid == geteuid();
}

/* Opens a directory for reading; the given descriptor may be O_PATH. */
static int open_directory(int directory)
{
	return openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Removes abandoned temporary files. A failure is ignored, as it does not prevent a new file. */
static void sweep_temporaries(int directory, const char *name)
{
	const size_t length = strlen(name);
	const int fd = open_directory(directory);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (entries && (entry = readdir(entries)))
		if (!strncmp(entry->d_name, name, length) &&
		    replacement__is_temporary(entry->d_name + length) &&
		    is_own(dirfd(entries), entry->d_name))
			replacement__sweep(dirfd(entries), entry->d_name);
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
	if (!replacement->temporary)
		return -ENOMEM;
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

/*
 * Creates a file without a name; it gets one by a link from /proc. Negative errno: not supported
 * here.
 */
static int open_nameless(int directory)
{
	const int fd = openat(directory, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
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
	*replacement = (struct replacement){
		.fd = -ENOMEM, .directory = directory, .replaced = strdup(name)};
	if (!replacement->replaced) {
		close(directory);
		return -ENOMEM;
	}
	sweep_temporaries(directory, name);
	replacement->fd = open_nameless(directory);
	if (replacement->fd < 0)
		replacement->fd = open_named(replacement);
	if (replacement->fd >= 0)
		return 0;
	forget(replacement);
	return replacement->fd;
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

/* Copies owner and mode, the owner first: a change of owner clears bits of the mode. */
static void copy_owner(int from, int to)
{
	struct stat status;

	if (fstat(from, &status))
		return;
	if (fchown(to, status.st_uid, status.st_gid) && fchown(to, (uid_t)-1, status.st_gid)) {
		/* On failure it stays ours. */
	}
	if (fchmod(to, status.st_mode & 0777)) {
		/* On failure only its owner has access. */
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

	if (!code) {
		copy_owner(replacement->fd, fd);
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

/* Syncs the directory: only then the name is on the disk. */
static void sync_directory(int directory)
{
	const int fd = open_directory(directory);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
}

/* The path of a name; free() it. NULL: out of memory. */
static char *path_of(int directory, const char *name)
{
	char path[PATH_MAX];
	struct link link;
	const ssize_t length = readlink(link_to(&link, directory), path, sizeof(path));
	char *whole;

	if (length <= 0 || (size_t)length == sizeof(path))
		return strdup(name);
	return asprintf(&whole, "%.*s/%s", (int)length, path, name) < 0 ? NULL : whole;
}

/*
 * Keeps the complete file under a name that is not swept, and returns its path. NULL: it has no
 * name.
 */
static char *keep(const struct replacement *replacement)
{
	const char *temporary = replacement->temporary;
	char *kept, *path;

	if (!temporary)
		return NULL;
	if (asprintf(&kept, "%s" KEPT "%s", replacement->replaced,
		     temporary + strlen(temporary) - NR_DIGITS) < 0)
		return NULL;
	path = path_of(replacement->directory,
		       renameat(replacement->directory, temporary, replacement->directory, kept)
			       ? temporary
			       : kept);
	free(kept);
	return path;
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
		sync_directory(replacement->directory);
	forget(replacement);
	return code;
}

void replacement__abandon(struct replacement *replacement)
{
	if (replacement->temporary)
		unlinkat(replacement->directory, replacement->temporary, 0);
	forget(replacement);
}
