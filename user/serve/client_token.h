/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_SERVE_CLIENT_TOKEN_H
#define TOPSTACKS_SERVE_CLIENT_TOKEN_H

#include <stddef.h>

/*
 * The token that serve left beside the socket to which there is a connection: "" unless it is there, ours to
 * read, and of the user who listens.
 */
void client_token__look(const char *socket, int connection, char *token, size_t size);

#endif
