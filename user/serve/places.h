/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a running serve is found if nobody says where. */
#ifndef TOPSTACKS_SERVE_PLACES_H
#define TOPSTACKS_SERVE_PLACES_H

#include <limits.h>

#include "base/error.h"

#define SERVE_SOCKET "/run/topstacks/serve.sock" /* root's */

/* The socket of a serve of the caller's own, in $XDG_RUNTIME_DIR; free() it. NULL: there is no such directory. */
char *places__own_socket(void);

/* "unix:PATH" of the one that the caller's serve listens on. 0, or -ENOENT with err filled. */
int places__default_address(char address[PATH_MAX], struct error *err);

#endif
