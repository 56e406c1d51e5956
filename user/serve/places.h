/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a running serve is found if nobody says where. */
#ifndef TOPSTACKS_SERVE_PLACES_H
#define TOPSTACKS_SERVE_PLACES_H

#include <limits.h>

#include "base/error.h"

#define SERVE_SOCKET "/run/topstacks/serve.sock"

/* "unix:PATH" of the socket: root's, or in the caller's own directory ($XDG_RUNTIME_DIR). 0, or -ENOENT with err. */
int places__default_address(char address[PATH_MAX], struct error *err);

#endif
