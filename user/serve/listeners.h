/* SPDX-License-Identifier: GPL-2.0-only */
/* The sockets of the front end. The sampler creates them, before any right is given up. */
#ifndef TOPSTACKS_SERVE_LISTENERS_H
#define TOPSTACKS_SERVE_LISTENERS_H

#include <limits.h>
#include <sys/types.h>

#include "base/common.h"
#include "base/options/options.h"
#include "serve/messages.h"

struct listen_plan {
	struct name_list addresses;    /* "unix:PATH", "127.0.0.1:6060", "[::1]:6060" */
	const char *certificate, *key; /* for TLS; NULL: none */
	bool has_token_file;
};

struct listeners {
	struct serve_setup setup;
	int files[SERVE_MAX_LISTENERS + 2]; /* sockets and TLS files, passed with setup */
	size_t nr_files;
	char path[PATH_MAX]; /* first unix socket; "": none */
	dev_t device;	     /* identity of its file */
	ino_t inode;
};

/*
 * Creates the sockets. 0, or negative errno with err filled. A TCP address requires a token, and
 * TLS if it is not loopback.
 */
int listeners__open(struct listeners *listeners, const struct listen_plan *plan, struct error *err);

/*
 * Whether the first unix socket's file is still ours: another process may have replaced it. 1, 0,
 * or negative errno: not known.
 */
int listeners__own_path(const struct listeners *listeners);

/* Removes that file; it must still be ours. 0 or negative errno. */
int listeners__remove_path(struct listeners *listeners);

/* Closes the files once the front end has them. */
void listeners__close_files(struct listeners *listeners);

/* A zeroed struct is fine. */
void listeners__close(struct listeners *listeners);

#endif
