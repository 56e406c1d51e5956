/* SPDX-License-Identifier: GPL-2.0-only */
/* The default addresses of a running serve. */
#ifndef TOPSTACKS_SERVE_SERVE_SOCKET_H
#define TOPSTACKS_SERVE_SERVE_SOCKET_H

#include <limits.h>

#include "base/common.h"

#define SERVE_SOCKET "/run/topstacks/serve.sock" /* root's */

/*
 * The socket of the caller's own serve, in $XDG_RUNTIME_DIR; free() it. NULL: the variable is not
 * set.
 */
char *serve_socket__own(void);

/* The default "unix:PATH" for a serve of the caller. 0, or -ENOENT with err filled. */
int serve_socket__default_address(char address[PATH_MAX], struct error *err);

#endif
