// SPDX-License-Identifier: GPL-2.0-only
#include "serve/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int places__default_address(char address[PATH_MAX], struct error *err)
{
	const char *runtime = geteuid() ? getenv("XDG_RUNTIME_DIR") : NULL;

	if (!geteuid())
		snprintf(address, PATH_MAX, "unix:" SERVE_SOCKET);
	else if (!runtime ||
		 snprintf(address, PATH_MAX, "unix:%s/topstacks/serve.sock", runtime) >= PATH_MAX)
		return error__say(
			err, EXIT_USAGE, -ENOENT,
			"where to listen? XDG_RUNTIME_DIR is not set: --listen unix:PATH");
	return 0;
}
