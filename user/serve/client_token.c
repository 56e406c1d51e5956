// SPDX-License-Identifier: GPL-2.0-only
#include "serve/client_token.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/system/secret.h"
#include "serve/token.h"

void client_token__look(const char *socket, int connection, char *token, size_t size)
{
	struct ucred peer;
	socklen_t peer_size = sizeof(peer);
	char *path = NULL;

	*token = '\0';
	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &peer_size) ||
	    asprintf(&path, "%s" TOKEN_ENDING, socket) < 0)
		return;
	secret__read(path, peer.uid, token, size);
	free(path);
}
