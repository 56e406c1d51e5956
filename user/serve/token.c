// SPDX-License-Identifier: GPL-2.0-only
#include "serve/token.h"

#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/output/destination.h"
#include "base/system/secret.h"

void client_token__look(const char *socket, int connection, char *token, size_t size)
{
	struct ucred peer;
	socklen_t peer_size = sizeof(peer);
	char *path;

	*token = '\0';
	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &peer_size))
		return;
	path = xasprintf("%s" TOKEN_ENDING, socket);
	secret__read(path, peer.uid, token, size);
	free(path);
}

#define RANDOM_BYTES 32

int token__read(char token[TOKEN_SIZE], const char *path, struct error *err)
{
	struct quoted quoted;
	int code = secret__read_named(path, token, TOKEN_SIZE, err);

	if (!code && strlen(token) < LEAST_TOKEN)
		code = error__say(err, EXIT_USAGE, -EINVAL,
				  "the token in %s has fewer than %d characters: it can be guessed",
				  quote(&quoted, path), LEAST_TOKEN);
	return code;
}

int token__make(char token[TOKEN_SIZE], struct error *err)
{
	unsigned char bytes[RANDOM_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return error__set(err, EXIT_INTERNAL, -errno, "cannot make a token");
	memset(token, 0, TOKEN_SIZE);
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(token + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

int token__write(const char token[TOKEN_SIZE], const char *path, struct error *err)
{
	struct destination destination;
	int code;

	unlink(path);
	code = destination__open(&destination, path, DESTINATION_PRIVATE, err);
	if (code)
		return code;
	fprintf(destination.out, "%s\n", token);
	return destination__close(&destination, 0, err);
}
