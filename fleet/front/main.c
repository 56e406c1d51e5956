// SPDX-License-Identifier: GPL-2.0-only
/*
 * The front end of "topstacks serve", which starts it. It speaks HTTP with any client,
 * has no rights, and has only the data that the sampler sends it.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/output/output.h"
#include "base/system/rights.h"
#include "front/confine.h"
#include "front/loop.h"

struct front {
	struct setup setup;
	struct requests requests;
	struct clients clients;
	struct handler handler;
	struct http http;
};

static int prepare(struct front *front, struct error *err)
{
	socklen_t size = sizeof(int);
	int type, code = 0;

	if (getsockopt(SERVE_CHANNEL_FD, SOL_SOCKET, SO_TYPE, &type, &size) ||
	    type != SOCK_SEQPACKET)
		code = error__say(err, EXIT_USAGE, -EINVAL,
				  "topstacks-front is a part of \"topstacks serve\"; run that");
	if (!code)
		code = setup__receive(&front->setup, SERVE_SETUP_FD, err);
	close(SERVE_SETUP_FD);
	if (!code)
		code = setup__greet(SERVE_CHANNEL_FD, err);
	if (code)
		return code;
	front->requests.channel = SERVE_CHANNEL_FD;
	front->handler = (struct handler){&front->requests, front->setup.max_seconds};
	code = http__start(&front->http, &front->handler, front->setup.certificate,
			   front->setup.key, err);
	setup__wipe(&front->setup);
	if (code)
		return code;
	code = front__confine();
	return code ? error__set(err, EXIT_SYSTEM, code, "cannot give up the rights to do more")
		    : 0;
}

static int serve(struct front *front, struct error *err)
{
	const struct loop loop = {&front->setup, &front->requests, &front->clients, &front->http};
	int code;

	code = prepare(front, err);
	if (!code)
		code = loop__run(&loop);
	if (code && !err->code)
		error__set(err, EXIT_INTERNAL, code, "cannot go on serving HTTP");
	http__stop(&front->http);
	setup__wipe(&front->setup);
	return code;
}

int main(void)
{
	struct error err = {0};
	struct front *front;
	int code;
	static const int ignored[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXFSZ};

	code = rights__init();
	output__prepare();
	/*
	 * Terminals and services send these to all processes: the end of the channel ends us.
	 */
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	front = calloc(1, sizeof(*front));
	if (code)
		error__set(&err, EXIT_SYSTEM, code,
			   "cannot give up the rights of the program file");
	else
		code = front ? serve(front, &err) : memory__error(&err);
	free(front);
	if (!code)
		return EXIT_DONE;
	output__print_error(&err);
	return err.exit_code;
}
