// SPDX-License-Identifier: GPL-2.0-only
#include "serve/serve_socket.h"

#include <unistd.h>

char *serve_socket__own(void)
{
	const char *directory = getenv("XDG_RUNTIME_DIR");

	return directory && *directory == '/' ? xasprintf("%s/topstacks/serve.sock", directory)
					      : NULL;
}

int serve_socket__default_address(char address[PATH_MAX], struct error *err)
{
	char *own = geteuid() ? serve_socket__own() : xstrdup(SERVE_SOCKET);
	const int length = own ? snprintf(address, PATH_MAX, "unix:%s", own) : PATH_MAX;

	free(own);
	if (length < PATH_MAX)
		return 0;
	return error__say(err, EXIT_USAGE, -ENOENT,
			  "where to listen? XDG_RUNTIME_DIR is not set: --listen unix:PATH");
}
