// SPDX-License-Identifier: GPL-2.0-only
#include "base/system/secret.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Whether the file is a regular one of the owner, which no others may read. systemd may own a
 * credential and let the service read it by an access list, which shows as the group's right; only
 * the service can enter its directory.
 */
static int check_file(int fd, const char *path, uid_t owner)
{
	const char *credentials = getenv("CREDENTIALS_DIRECTORY");
	const size_t length = credentials ? strlen(credentials) : 0;
	const bool is_credential =
		length && !strncmp(path, credentials, length) && path[length] == '/';
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EINVAL;
	if (status.st_mode & (is_credential ? 0037 : 0077))
		return -EPERM;
	return owner != SECRET_OF_ANYBODY && status.st_uid != owner ? -ESTALE : 0;
}

static int read_line(int fd, char *text, size_t size)
{
	const ssize_t nr = read(fd, text, size);
	size_t length;

	if (nr < 0)
		return -errno;
	if ((size_t)nr == size) /* no room for the terminating zero */
		return -EINVAL;
	text[nr] = '\0';
	length = strcspn(text, "\r\n");
	if (!length || text[length + strspn(text + length, "\r\n")])
		return -EINVAL;
	text[length] = '\0';
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return -EINVAL;
	return 0;
}

int secret__read(const char *path, uid_t owner, char *text, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int code = fd < 0 ? -errno : check_file(fd, path, owner);

	memset(text, 0, size);
	if (!code)
		code = read_line(fd, text, size);
	if (code)
		explicit_bzero(text, size);
	if (fd >= 0)
		close(fd);
	return code;
}

int secret__read_named(const char *path, char *text, size_t size, struct error *err)
{
	const int code = secret__read(path, SECRET_OF_ANYBODY, text, size);
	struct quoted quoted;

	if (code == -EPERM)
		return error__say(err, EXIT_USAGE, code,
				  "others may read the token in %s; chmod 600 it",
				  quote(&quoted, path));
	if (code == -EINVAL)
		return error__say(
			err, EXIT_USAGE, code,
			"%s holds no token: one line of at most %zu letters, digits and signs",
			quote(&quoted, path), size - 2);
	return code ? error__set(err, EXIT_USAGE, code, "cannot read the token in %s",
				 quote(&quoted, path))
		    : 0;
}
