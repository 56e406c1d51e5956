/* SPDX-License-Identifier: GPL-2.0-only */
/* The token that a client shows: from a file that nobody else may read. */
#ifndef TOPSTACKS_SERVE_CLIENT_TOKEN_H
#define TOPSTACKS_SERVE_CLIENT_TOKEN_H

#include "base/error.h"

#define CLIENT_TOKEN_SIZE 128 /* as in a serve_request */

/* The first line of a file that was named. 0, or negative errno with err filled. */
int client_token__read(const char *path, char token[CLIENT_TOKEN_SIZE], struct error *err);

/*
 * The one that serve left beside the socket to which there is a connection: "" unless it is there, ours to
 * read, and of the user who listens.
 */
void client_token__look(const char *socket, int connection, char token[CLIENT_TOKEN_SIZE]);

#endif
