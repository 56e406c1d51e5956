/* SPDX-License-Identifier: GPL-2.0-only */
/* The token: a client that has it sees samples of all processes. */
#ifndef TOPSTACKS_SERVE_TOKEN_H
#define TOPSTACKS_SERVE_TOKEN_H

#include "base/common.h"

#define TOKEN_SIZE   128      /* including the NUL */
#define TOKEN_ENDING ".token" /* file beside a socket */
#define LEAST_TOKEN  16	      /* characters; shorter ones can be guessed */

/* Reads a token from a file (base/system/secret.h). 0, or negative errno with err filled. */
int token__read(char token[TOKEN_SIZE], const char *path, struct error *err);

/* Makes a random token. 0, or negative errno with err filled. */
int token__make(char token[TOKEN_SIZE], struct error *err);

/*
 * Writes the token to a private file, which replaces an existing one. 0, or negative errno with err
 * filled.
 */
int token__write(const char token[TOKEN_SIZE], const char *path, struct error *err);

/*
 * Reads the token beside the socket of a connection: "" unless we may read the file and it belongs
 * to the user who listens.
 */
void client_token__look(const char *socket, int connection, char *token, size_t size);

#endif
