/* SPDX-License-Identifier: GPL-2.0-only */
/* Asks a running "topstacks serve" through its unix socket, in HTTP/1.0. */
#ifndef TOPSTACKS_SERVE_CLIENT_H
#define TOPSTACKS_SERVE_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct serve_client {
	const char *socket;	/* NULL: where serve listens if nobody said otherwise */
	const char *token_file; /* NULL: the one beside the socket, if it may be read */
	size_t max_bytes;	/* of an answer */
	uint64_t patience_ns;	/* until it is there */
};

/* A name or value of a query, in which nothing has a meaning; free() it. NULL: out of memory. */
char *client__encode(const char *text);

/*
 * GET target, "/debug/pprof/profile?ago=30s". *bytes, the body of an answer 200, is the caller's to
 * free(). 0, or negative errno with err filled: nobody listens, or the answer is another.
 */
int client__get(const struct serve_client *client, const char *target, char **bytes,
		size_t *nr_bytes, struct error *err);

#endif
