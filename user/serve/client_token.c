// SPDX-License-Identifier: GPL-2.0-only
#include "serve/client_token.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"

#define BESIDE ".token"

#define ANYBODY ((uid_t)-1)

/*
 * What others could read is no secret. -EPERM: it is none; -ENOTSUP: it is no file; -ESTALE: it is not
 * this owner's.
 */
static int open_secret(const char *path, uid_t owner)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), code = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status))
		code = -errno;
	else if (!S_ISREG(status.st_mode))
		code = -ENOTSUP;
	else if (status.st_mode & 0077)
		code = -EPERM;
	else if (owner != ANYBODY && status.st_uid != owner)
		code = -ESTALE;
	if (!code)
		return fd;
	close(fd);
	return code;
}

/* Letters, digits and signs, which can end no line of a request. */
static bool is_token(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

/* -EINVAL: what is there is no token. */
static int read_token(const char *path, uid_t owner, char token[CLIENT_TOKEN_SIZE])
{
	int fd = open_secret(path, owner);
	ssize_t nr;

	if (fd < 0)
		return fd;
	nr = read(fd, token, CLIENT_TOKEN_SIZE);
	close(fd);
	if (nr < 0)
		return -errno;
	if (nr == CLIENT_TOKEN_SIZE)
		return -EINVAL;
	token[nr] = '\0';
	token[strcspn(token, "\r\n")] = '\0';
	return is_token(token) ? 0 : -EINVAL;
}

int client_token__read(const char *path, char token[CLIENT_TOKEN_SIZE], struct error *err)
{
	struct quoted quoted;
	int code = read_token(path, ANYBODY, token);

	switch (code) {
	case 0:
		return 0;
	case -EPERM:
		return error__say(err, EXIT_USAGE, code,
				  "others may read the token in %s; chmod 600 it",
				  quote(&quoted, path));
	case -EINVAL:
		return error__say(err, EXIT_USAGE, code,
				  "%s holds no token: one line of at most %d letters, digits and "
				  "signs",
				  quote(&quoted, path), CLIENT_TOKEN_SIZE - 1);
	case -ENOTSUP:
		return error__say(err, EXIT_USAGE, code, "%s is no file", quote(&quoted, path));
	default:
		return error__set(err, EXIT_USAGE, code, "cannot read the token in %s",
				  quote(&quoted, path));
	}
}

void client_token__look(const char *socket, int connection, char token[CLIENT_TOKEN_SIZE])
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	char *path = NULL;

	*token = '\0';
	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
	    asprintf(&path, "%s" BESIDE, socket) < 0)
		return;
	if (read_token(path, peer.uid, token))
		*token = '\0';
	free(path);
}
