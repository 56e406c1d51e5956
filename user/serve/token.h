/* SPDX-License-Identifier: GPL-2.0-only */
/* Who has the token sees samples of all processes. */
#ifndef TOPSTACKS_SERVE_TOKEN_H
#define TOPSTACKS_SERVE_TOKEN_H

#include "base/error.h"

#include <stddef.h>

#define TOKEN_SIZE   128      /* with its NUL */
#define TOKEN_ENDING ".token" /* of the file beside a socket */
#define LEAST_TOKEN  16	      /* characters: fewer can be guessed */

/* From a file (base/system/secret.h). 0, or negative errno with err filled. */
int token__read(char token[TOKEN_SIZE], const char *path, struct error *err);

/* Makes one up. 0, or negative errno with err filled. */
int token__make(char token[TOKEN_SIZE], struct error *err);

/* Puts it into a new file, which nobody else may read, or in the place of the one there. The same. */
int token__write(const char token[TOKEN_SIZE], const char *path, struct error *err);

/*
 * The token that serve left beside the socket to which there is a connection: "" unless it is there, ours to
 * read, and of the user who listens.
 */
void client_token__look(const char *socket, int connection, char *token, size_t size);

#endif
