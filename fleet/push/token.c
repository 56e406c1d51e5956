// SPDX-License-Identifier: GPL-2.0-only
#include "push/token.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"

/*
 * systemd may own a credential and let the service alone read it, by an access list, which shows as the
 * group's right. It is in a directory that nobody else enters.
 */
static mode_t others_than_reader(const char *path)
{
	const char *credentials = getenv("CREDENTIALS_DIRECTORY");
	const size_t length = credentials ? strlen(credentials) : 0;

	return length && !strncmp(path, credentials, length) && path[length] == '/' ? 0037 : 0077;
}

static int read_private(int fd, char token[TOKEN_SIZE], const char *path, struct error *err)
{
	struct quoted quoted;
	struct stat status;
	ssize_t nr;

	if (fstat(fd, &status))
		return error__set(err, EXIT_USAGE, -errno, "cannot read %s", quote(&quoted, path));
	if (!S_ISREG(status.st_mode) || (status.st_mode & others_than_reader(path)))
		return error__say(err, EXIT_USAGE, -EPERM,
				  "%s is not for its owner alone; chmod 600 makes it so",
				  quote(&quoted, path));
	nr = read(fd, token, TOKEN_SIZE - 1);
	if (nr < 0)
		return error__set(err, EXIT_USAGE, -errno, "cannot read %s", quote(&quoted, path));
	token[nr] = '\0';
	return 0;
}

/* What could be more than a token in a header, such as another header. */
static int check(char token[TOKEN_SIZE], const char *path, struct error *err)
{
	struct quoted quoted;
	size_t length = strcspn(token, "\r\n");

	if (token[length + strspn(token + length, "\r\n")])
		length = 0;
	token[length] = '\0';
	for (size_t i = 0; i < length; i++)
		if (token[i] < '!' || token[i] > '~')
			length = 0;
	if (length)
		return 0;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "%s is not one line with a token of visible ASCII characters",
			  quote(&quoted, path));
}

int token__read(const char *path, char token[TOKEN_SIZE], struct error *err)
{
	struct quoted quoted;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int code;

	if (fd < 0)
		return error__set(err, EXIT_USAGE, -errno, "cannot open %s", quote(&quoted, path));
	code = read_private(fd, token, path, err);
	close(fd);
	return code ? code : check(token, path, err);
}
