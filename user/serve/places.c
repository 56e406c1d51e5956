// SPDX-License-Identifier: GPL-2.0-only
#include "serve/places.h"

#include <unistd.h>

char *places__own_socket(void)
{
	const char *directory = getenv("XDG_RUNTIME_DIR");
	char *path;

	if (!directory || *directory != '/' ||
	    asprintf(&path, "%s/topstacks/serve.sock", directory) < 0)
		return NULL;
	return path;
}

int places__default_address(char address[PATH_MAX], struct error *err)
{
	char *own = geteuid() ? places__own_socket() : strdup(SERVE_SOCKET);
	const int length = own ? snprintf(address, PATH_MAX, "unix:%s", own) : PATH_MAX;

	free(own);
	if (length < PATH_MAX)
		return 0;
	return error__say(err, EXIT_USAGE, -ENOENT,
			  "where to listen? XDG_RUNTIME_DIR is not set: --listen unix:PATH");
}
