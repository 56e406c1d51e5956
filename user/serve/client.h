/* SPDX-License-Identifier: GPL-2.0-only */
/* Asks a running "topstacks serve" through its unix socket, in HTTP/1.0. */
#ifndef TOPSTACKS_SERVE_CLIENT_H
#define TOPSTACKS_SERVE_CLIENT_H

#include "base/common.h"

struct serve_client {
	const char *socket;	/* NULL: the default address of serve */
	const char *token_file; /* NULL: the one beside the socket, if readable */
	size_t max_bytes;	/* of an answer */
	uint64_t timeout_ns;	/* time limit for the answer */
};

/*
 * Sends GET target, such as "/debug/pprof/profile?ago=30s". *bytes: the body of an answer 200;
 * free() it. 0, or negative errno with err filled: no server listens, or the status is another.
 */
int client__get(const struct serve_client *client, const char *target, char **bytes,
		size_t *nr_bytes, struct error *err);

#endif
