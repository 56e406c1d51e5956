/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libmicrohttpd, driven from outside: it has no thread and no listening socket, takes the
 * connections that it is given, and runs when it is told. One that waits for the sampler is
 * suspended.
 */
#ifndef TOPSTACKS_FRONT_HTTP_H
#define TOPSTACKS_FRONT_HTTP_H

#include <stdint.h>

#include "base/error.h"
#include "front/clients.h"
#include "front/handler.h"

struct MHD_Daemon;

#define HTTP_SERVERS 2 /* in the clear, and with TLS */

struct http {
	const struct handler *handler;
	struct client *arriving;		  /* while it is added */
	struct MHD_Daemon *servers[HTTP_SERVERS]; /* NULL: there is none */
};

/*
 * certificate and key: PEM, or both NULL for no TLS. They may be wiped afterwards. 0 or negative
 * errno.
 */
int http__start(struct http *http, const struct handler *handler, const char *certificate,
		const char *key, struct error *err);
void http__stop(struct http *http);

/*
 * The client's socket becomes the server's, whatever is returned; the client is released when it
 * ends.
 */
void http__add(struct http *http, struct client *client);

/* A client has a reply, or is gone: its connection goes on. */
void http__resume(struct client *client);

/*
 * Does what can be done now. Until when nothing else can be, unless descriptors are ready: ms, -1:
 * forever.
 */
int http__run(struct http *http);

/* The descriptor to poll for reading. -1: there is no such server. */
int http__descriptor(const struct http *http, unsigned int server);

#endif
