// SPDX-License-Identifier: GPL-2.0-only
#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static void forget(struct replace *replace)
{
	free(replace->path);
	free(replace->temporary);
	*replace = (struct replace){0};
}

/* As open(2) would have made it: mkstemp(3) keeps it to the owner. */
static int open_temporary(struct replace *replace)
{
	mode_t mask = umask(0);
	char *name;
	int fd;

	umask(mask);
	if (asprintf(&name, "%s" REPLACE_SUFFIX "XXXXXX", replace->path) < 0)
		return -ENOMEM;
	replace->temporary = name;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fchmod(fd, 0666 & ~mask)) {
		/* Some file systems have no modes; the file is the owner's then. */
	}
	return fd;
}

static int open_target(struct replace *replace)
{
	struct stat status;
	int fd;

	if (stat(replace->path, &status) || S_ISREG(status.st_mode))
		return open_temporary(replace);
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	fd = open(replace->path, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int replace__open(struct replace *replace, const char *path)
{
	int fd;

	*replace = (struct replace){.path = strdup(path)};
	fd = replace->path ? open_target(replace) : -ENOMEM;
	if (fd < 0) {
		forget(replace);
		return fd;
	}
	replace->out = fdopen(fd, "w");
	if (replace->out)
		return 0;
	close(fd);
	if (replace->temporary)
		unlink(replace->temporary);
	forget(replace);
	return -ENOMEM;
}

int replace__check(const char *path)
{
	struct replace replace;
	struct stat status;
	int code;

	if (!stat(path, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
		return access(path, W_OK) ? -errno : 0;
	code = replace__open(&replace, path);
	if (!code)
		replace__abandon(&replace);
	return code;
}

void replace__abandon(struct replace *replace)
{
	if (replace->out)
		fclose(replace->out);
	if (replace->temporary)
		unlink(replace->temporary);
	forget(replace);
}

/* A rename is on the disk when its directory is. */
static void sync_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(directory);
}

static int flush(struct replace *replace)
{
	if (fflush(replace->out))
		return -errno;
	if (ferror(replace->out))
		return text__stream_error(replace->out);
	if (replace->temporary && fsync(fileno(replace->out)))
		return -errno;
	return 0;
}

int replace__commit(struct replace *replace)
{
	int code = flush(replace);
	FILE *out = replace->out;

	replace->out = NULL;
	if (fclose(out) && !code)
		code = -errno;
	if (!code && replace->temporary && rename(replace->temporary, replace->path))
		code = -errno;
	if (code) {
		replace__abandon(replace);
		return code;
	}
	if (replace->temporary)
		sync_directory(replace->path);
	forget(replace);
	return 0;
}
