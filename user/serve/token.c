// SPDX-License-Identifier: GPL-2.0-only
#include "serve/token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/files.h"
#include "base/quote.h"

#define RANDOM_BYTES 32

static int refuse(const char *path, const char *why, struct error *err)
{
	struct quoted quoted;

	return error__say(err, EXIT_USAGE, -EINVAL, "the token in %s %s", quote(&quoted, path),
			  why);
}

static int check_mode(int fd, const char *path, struct error *err)
{
	struct stat status;
	struct quoted quoted;

	if (fstat(fd, &status))
		return error__set(err, EXIT_USAGE, -errno, "cannot read %s", quote(&quoted, path));
	if (status.st_mode & (S_IRWXG | S_IRWXO))
		return refuse(path, "can be read by others: chmod 600 it", err);
	return 0;
}

static int take(char token[TOKEN_SIZE], const char *text, const char *path, struct error *err)
{
	const size_t length = strcspn(text, "\n");

	for (size_t i = 0; i < length; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return refuse(path, "has characters other than visible ASCII", err);
	if (length < LEAST_TOKEN || length >= TOKEN_SIZE)
		return refuse(path, "has not 16 to 127 characters", err);
	memset(token, 0, TOKEN_SIZE);
	memcpy(token, text, length);
	return 0;
}

int token__read(char token[TOKEN_SIZE], const char *path, struct error *err)
{
	const int fd = files__open_named(path);
	struct quoted quoted;
	char *text = NULL;
	int code = fd < 0 ? error__set(err, EXIT_USAGE, fd, "cannot read the token in %s",
				       quote(&quoted, path))
			  : check_mode(fd, path, err);

	if (!code && files__read_fd(fd, 4096, &text, NULL))
		code = refuse(path, "cannot be read", err);
	if (!code)
		code = take(token, text, path, err);
	if (text)
		explicit_bzero(text, strlen(text));
	free(text);
	if (fd >= 0)
		close(fd);
	return code;
}

int token__make(char token[TOKEN_SIZE], const char *path, struct error *err)
{
	unsigned char bytes[RANDOM_BYTES];
	struct destination destination;
	int code;

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return error__set(err, EXIT_INTERNAL, -errno, "cannot make a token");
	memset(token, 0, TOKEN_SIZE);
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(token + 2 * i, 3, "%02x", bytes[i]);
	unlink(path);
	code = destination__open(&destination, path, DESTINATION_PRIVATE, err);
	if (code)
		return code;
	fprintf(destination.out, "%s\n", token);
	return destination__close(&destination, 0, err);
}
