// SPDX-License-Identifier: GPL-2.0-only
#include "base/output/destination.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/output/path_walk.h"

#define MAX_LINKS 40  /* same limit as the kernel's */
#define MAX_TRIES 100 /* to open a FIFO, every 10 ms */

/* ---- errors ---- */

int destination__exit_code(int code)
{
	return code == -EISDIR || code == -ENOTDIR ? EXIT_USAGE : EXIT_INTERNAL;
}

/* path: NULL: standard output. */
static int explain(const char *path, int code, struct error *err)
{
	struct quoted quoted;

	code = error__set(err, destination__exit_code(code), code, "cannot write %s",
			  path ? quote(&quoted, path) : "standard output");
	if (code == -ENXIO)
		return error__remedy(err, "no program reads it");
	if (code == -ELOOP)
		return error__remedy(err, "a device is written to by its own name only");
	return code;
}

/* ---- descriptors of our own: /dev/stdout, /dev/fd/3, /proc/self/fd/3 ---- */

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Length of "DIRECTORY/" or "" at the start of a path; the file's own name follows. */
static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Replaces a link by its target. False: it is no link, or the target is too long. */
static bool step(char path[PATH_MAX])
{
	char target[PATH_MAX];
	ssize_t length = readlink(path, target, sizeof(target) - 1);
	size_t kept = directory_length(path);

	if (length < 0)
		return false;
	target[length] = '\0';
	if (*target == '/')
		kept = 0;
	if (kept + (size_t)length >= PATH_MAX)
		return false;
	memcpy(path + kept, target, (size_t)length + 1);
	return true;
}

/*
 * The descriptor of ours that a path leads to; -1: none. It must not be opened again, as that would
 * start at the beginning of the file.
 */
static int find_descriptor(const char *path)
{
	char at[PATH_MAX], directory[PATH_MAX], *end;
	struct stat named, open;
	struct statfs system;
	const char *name;
	bool is_in_proc = false;
	long fd;

	if (strlen(path) >= sizeof(at))
		return -1;
	strcpy(at, path);
	for (int i = 0; i < MAX_LINKS && !is_in_proc; i++) {
		snprintf(directory, sizeof(directory), "%.*s", (int)directory_length(at), at);
		is_in_proc = *directory && !statfs(directory, &system) &&
			     system.f_type == PROC_SUPER_MAGIC;
		if (!is_in_proc && !step(at))
			return -1;
	}

	/* The path ends in a number there, and our descriptor of that number is the same file. */
	name = at + directory_length(at);
	fd = strtol(name, &end, 10);
	if (!is_in_proc || end == name || *end || fd < 0 || fd > INT_MAX)
		return -1;
	if (stat(at, &named) || fstat((int)fd, &open) || !is_same_file(&named, &open))
		return -1;
	return (int)fd;
}

/* ---- regular files ---- */

/* Reads a number that sudo(8) has set. Only trusted if we run as root. */
static bool read_sudo(const char *name, unsigned int *id)
{
	const char *text = getuid() == 0 ? getenv(name) : NULL;
	unsigned long number;
	char *end;

	if (!text || !isdigit((unsigned char)*text))
		return false;
	number = strtoul(text, &end, 10);
	*id = (unsigned int)number;
	return !*end && number < UINT_MAX;
}

void destination__give_to_caller(int fd)
{
	uid_t user;
	gid_t group;

	if (read_sudo("SUDO_UID", &user) && read_sudo("SUDO_GID", &group) &&
	    fchown(fd, user, group)) {
		/* On failure it stays ours. */
	}
}

/*
 * Whether a file is ours or belongs to the user who called sudo. Any other owner could read what we
 * write.
 */
static bool is_ours(const struct stat *status)
{
	uid_t caller;

	return status->st_uid == geteuid() ||
	       (read_sudo("SUDO_UID", &caller) && status->st_uid == caller);
}

/* ---- opening ---- */

/* The file that a path leads to. */
struct aim {
	int own; /* a descriptor of ours; -1: use place */
	struct walked_path place;
	mode_t mode;	  /* of a new file */
	bool is_replaced; /* false: written in place */
	struct stat old;  /* the existing file; st_nlink 0: none */
};

static bool is_standard(const char *path)
{
	return !path || !strcmp(path, "-");
}

/*
 * Finds the file of a path, and decides whether it is replaced. A file of another process's
 * descriptor in /proc is written in place: it may have no name. A device behind a link is refused:
 * a user who names a device means it, but any user may have made a link. Call leave() afterwards,
 * whatever this returns.
 */
static int take_aim(struct aim *aim, const char *path, mode_t mode)
{
	int code;

	*aim = (struct aim){
		.own = STDOUT_FILENO, .place = {.directory = -1, .fd = -1}, .mode = mode};
	if (is_standard(path))
		return 0;
	code = path_walk__find(&aim->place, path);
	aim->own = code ? -1 : find_descriptor(path);
	if (code || aim->own >= 0)
		return code;
	aim->is_replaced = aim->place.fd < 0;
	if (aim->is_replaced)
		return 0;
	if (fstat(aim->place.fd, &aim->old))
		return -errno;
	if (S_ISDIR(aim->old.st_mode))
		return -EISDIR;
	if (aim->place.is_linked && (S_ISCHR(aim->old.st_mode) || S_ISBLK(aim->old.st_mode)))
		return -ELOOP;
	aim->is_replaced = S_ISREG(aim->old.st_mode) && !aim->place.is_magic;
	return 0;
}

static void leave(struct aim *aim)
{
	path_walk__close(&aim->place);
}

/*
 * Opens the new file. Closes the descriptors of the path first, so that a shortage of descriptors
 * does not make this fail.
 */
static int open_replacement(struct aim *aim, struct replacement *replacement)
{
	const int directory = aim->place.directory;
	mode_t mask;
	int code;

	aim->place.directory = -1;
	path_walk__close(&aim->place);
	code = replacement__open(replacement, directory, aim->place.name);
	if (code)
		return code;
	if (aim->old.st_nlink && is_ours(&aim->old)) {
		replacement__take_after(replacement->fd, &aim->old);
		return 0;
	}
	/* Owner and mode as open(2) would set them: mkostemp(3) gives access to the owner only. */
	mask = umask(0);
	umask(mask);
	if (!(aim->mode & 0077))
		destination__give_to_caller(replacement->fd);
	if (fchmod(replacement->fd, aim->mode & ~mask)) {
		/* Some file systems have no modes; then only the owner has access. */
	}
	return 0;
}

/*
 * Opens the file that was checked, and fails if it has been exchanged since, by a device, say.
 * Waits a limited time for the reader of a FIFO.
 */
static int open_as_it_is(const struct aim *aim)
{
	int fd = -ENXIO, code = 0;
	struct stat status;

	for (int i = 0; fd == -ENXIO && i <= MAX_TRIES; i++) {
		if (i)
			clock_sleep(10000000);
		fd = path_walk__open(&aim->place, O_WRONLY | O_NOCTTY | O_NONBLOCK, 0);
	}
	if (fd < 0)
		return fd;
	if (fstat(fd, &status) || fcntl(fd, F_SETFL, 0))
		code = -errno;
	else if (!is_same_file(&status, &aim->old))
		code = -ESTALE;
	else if (S_ISREG(status.st_mode) && ftruncate(fd, 0))
		code = -errno;
	if (!code)
		return fd;
	close(fd);
	return code;
}

static int open_aim(struct aim *aim, struct replacement *replacement)
{
	int code;

	if (aim->own >= 0) {
		code = fcntl(aim->own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		return code < 0 ? -errno : code;
	}
	if (!aim->is_replaced)
		return open_as_it_is(aim);
	code = open_replacement(aim, replacement);
	return code ? code : replacement->fd;
}

static int open_stream(struct destination *destination, struct aim *aim)
{
	int fd, code;

	if (aim->own == STDOUT_FILENO) {
		destination->out = stdout;
		return 0;
	}
	fd = open_aim(aim, &destination->replacement);
	if (fd < 0)
		return fd;
	destination->out = fdopen(fd, "w");
	if (destination->out)
		return 0;
	code = -errno;
	replacement__abandon(&destination->replacement);
	close(fd);
	return code;
}

int destination__open(struct destination *destination, const char *path, mode_t mode,
		      struct error *err)
{
	struct aim aim;
	int code = take_aim(&aim, path, mode);

	*destination = (struct destination){.path = is_standard(path) ? NULL : path};
	if (!code)
		code = open_stream(destination, &aim);
	leave(&aim);
	return code ? explain(path, code, err) : 0;
}

void destination__share(const struct destination *destination, gid_t readers)
{
	const int fd = fileno(destination->out);
	struct stat status;

	if (!destination->replacement.replaced || fstat(fd, &status))
		return;
	if (status.st_gid != readers && fchown(fd, (uid_t)-1, readers))
		return;
	if (fchmod(fd, S_IRUSR | S_IWUSR | S_IRGRP)) {
		/* On failure the group has no access. */
	}
}

static int open_growing(const struct aim *aim)
{
	const int flags = O_WRONLY | O_NONBLOCK;
	int fd = -EEXIST, code = 0;
	struct stat status;

	if (aim->own >= 0) {
		fd = fcntl(aim->own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		return fd < 0 ? -errno : fd;
	}
	if (aim->place.fd < 0)
		fd = path_walk__open(&aim->place, flags | O_CREAT | O_EXCL, DESTINATION_PRIVATE);
	if (fd >= 0)
		destination__give_to_caller(fd);
	else if (fd == -EEXIST)
		fd = path_walk__open(&aim->place, flags, 0);
	if (fd < 0)
		return fd;
	if (fcntl(fd, F_SETFL, 0) || fstat(fd, &status))
		code = -errno;
	else if (S_ISREG(status.st_mode) && !is_ours(&status))
		code = -ENOTOURS;
	else if (S_ISREG(status.st_mode) && ftruncate(fd, 0))
		code = -errno;
	if (!code)
		return fd;
	close(fd);
	return code;
}

int destination__open_growing(const char *path)
{
	struct aim aim;
	int code = take_aim(&aim, path, DESTINATION_PRIVATE);

	if (!code)
		code = open_growing(&aim);
	leave(&aim);
	return code;
}

int destination__check(const char *path, struct error *err)
{
	struct replacement replacement;
	struct aim aim;
	int code = take_aim(&aim, path, DESTINATION_PRIVATE);

	if (!code && aim.is_replaced) {
		code = open_replacement(&aim, &replacement);
		if (!code) {
			replacement__abandon(&replacement);
			close(replacement.fd);
		}
	} else if (!code && aim.own < 0) {
		code = access(path, W_OK) ? -errno : 0;
	}
	leave(&aim);
	return code ? explain(path, code, err) : 0;
}

/* ---- closing ---- */

static int flush(const struct destination *destination)
{
	if (fflush(destination->out))
		return -errno;
	return ferror(destination->out) ? text__stream_error(destination->out) : 0;
}

/*
 * Gives the complete file its name. That fails if the path has become a mount point or a directory;
 * then the file is kept under another name. Closes the stream last: it holds the lock, and all its
 * data is on the disk already.
 */
static int close_replacement(struct destination *destination, int code, struct error *err)
{
	char *kept = NULL, *safe;

	if (!code)
		code = flush(destination);
	if (code)
		replacement__abandon(&destination->replacement);
	else
		code = replacement__take_place(&destination->replacement, &kept);
	if (code)
		explain(destination->path, code, err);
	if (kept) {
		safe = text__safe_copy(kept);
		error__remedy(err, "all of it is in %s", safe);
		free(safe);
		free(kept);
	}
	fclose(destination->out);
	return code;
}

int destination__close(struct destination *destination, int code, struct error *err)
{
	FILE *out = destination->out;

	if (destination->replacement.replaced)
		return close_replacement(destination, code, err);
	if (out != stdout) {
		if (!code)
			code = flush(destination);
		if (fclose(out) && !code)
			code = -errno;
	}
	return code ? explain(destination->path, code, err) : 0;
}
