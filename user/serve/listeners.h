/* SPDX-License-Identifier: GPL-2.0-only */
/* The sockets on which the front end is asked; made by the sampler, before anybody has given up rights. */
#ifndef TOPSTACKS_SERVE_LISTENERS_H
#define TOPSTACKS_SERVE_LISTENERS_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/options/options.h"
#include "serve/messages.h"

struct listen_plan {
	struct name_list addresses;    /* "unix:PATH", "127.0.0.1:6060", "[::1]:6060" */
	const char *certificate, *key; /* of TLS; NULL: there is none */
	bool has_token_file;
};

struct listeners {
	struct serve_setup setup;
	int files[SERVE_MAX_LISTENERS + 2]; /* that go with it */
	size_t nr_files;
	char path[PATH_MAX]; /* of the first unix socket; "": there is none */
	dev_t device;	     /* of its file */
	ino_t inode;
};

/*
 * 0, or negative errno with err filled. On a TCP address nobody is served without a token, and beyond
 * loopback not without TLS.
 */
int listeners__open(struct listeners *listeners, const struct listen_plan *plan, struct error *err);

/*
 * Whether the first unix socket's file is still that which was made: somebody may have put another in its place. 1, 0, or
 * negative errno: nobody knows.
 */
int listeners__own_path(const struct listeners *listeners);

/* Removes the first unix socket's file, which is still that. 0 or negative errno. */
int listeners__remove_path(struct listeners *listeners);

/* Closes what is open: somebody else has it. */
void listeners__close_files(struct listeners *listeners);

/* Zeroed is fine. */
void listeners__close(struct listeners *listeners);

#endif
