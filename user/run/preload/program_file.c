// SPDX-License-Identifier: GPL-2.0-only
#include "run/preload/program_file.h"
#include "base/common.h"

#include <fcntl.h>
#include <limits.h>
#include <paths.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_BYTES	 256 /* of a script's first line, like the kernel */
#define MAX_INTERPRETERS 4

int program_file__open_path(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		return fd;
	close(fd);
	return -EACCES;
}

/* Finds the path that execvp() would use. False: there is none. */
static bool find(const char *command, char path[PATH_MAX])
{
	const char *directories = getenv("PATH");
	struct stat status;

	if (strchr(command, '/'))
		return snprintf(path, PATH_MAX, "%s", command) < PATH_MAX;
	if (!directories)
		directories = _PATH_DEFPATH;
	for (;; directories++) {
		const int length = (int)strcspn(directories, ":");

		/* An empty entry of PATH is the current directory. */
		if (snprintf(path, PATH_MAX, "%.*s%s%s", length, directories, length ? "/" : "",
			     command) < PATH_MAX &&
		    !stat(path, &status) && S_ISREG(status.st_mode) &&
		    !faccessat(AT_FDCWD, path, X_OK, AT_EACCESS))
			return true;
		directories += length;
		if (!*directories)
			return false;
	}
}

/*
 * Finds the interpreter of a script, or the shell for a file in a format that the kernel does not
 * know. False: the file is an ELF program.
 */
static bool find_interpreter(int fd, char path[PATH_MAX])
{
	char line[LINE_BYTES + 1] = {0};
	const ssize_t got = pread(fd, line, LINE_BYTES, 0);

	if (got >= 4 && !memcmp(line, "\177ELF", 4))
		return false;
	line[strcspn(line, "\n")] = '\0';
	path[0] = '\0'; /* matches no file */
	if (memcmp(line, "#!", 2))
		strcpy(path, _PATH_BSHELL);
	else
		sscanf(line + 2, " %255[^ \t]", path);
	return true;
}

int program_file__open(const char *command)
{
	char path[PATH_MAX];
	int fd;

	if (!find(command, path))
		return -ENOENT;
	fd = program_file__open_path(path);
	for (int i = 0; i < MAX_INTERPRETERS && fd >= 0 && find_interpreter(fd, path); i++) {
		close(fd);
		fd = program_file__open_path(path);
	}
	return fd;
}
