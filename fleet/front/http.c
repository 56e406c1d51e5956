// SPDX-License-Identifier: GPL-2.0-only
#include "front/http.h"

#include <limits.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "front/answer.h"

#define CONNECTION_BYTES 8192 /* for the heads of a request and its answer */
#define PRIORITIES	 "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

static struct client *client_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

/* ---- what the server calls ---- */

/* Called when the first line is there. Later calls get the returned pointer. */
static void *on_line(void *context, const char *target, struct MHD_Connection *connection)
{
	(void)context;
	client__begin(client_of(connection), strdup(target));
	return NULL;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
				  const char *method, const char *version, const char *body,
				  size_t *body_size, void **state)
{
	struct http *http = context;
	struct client *client = client_of(connection);

	(void)url;
	(void)version;
	(void)body;
	if (client->is_gone || *body_size)
		return MHD_NO;
	client->connection = connection;
	if (!*state) {
		*state = client;
		if (!handler__has_body(connection))
			return MHD_YES; /* called again at the end of the request */
		handler__refuse_body(client);
	} else if (!client->reply.status) {
		handler__decide(http->handler, client, method);
	}
	if (client->reply.status)
		return answer__queue(client);
	MHD_suspend_connection(connection);
	return MHD_YES;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
			 enum MHD_RequestTerminationCode how)
{
	struct http *http = context;
	struct client *client = client_of(connection);

	(void)state;
	requests__end(http->handler->requests, client, how == MHD_REQUEST_TERMINATED_COMPLETED_OK);
	client__end(client);
}

static void on_connection(void *context, struct MHD_Connection *connection, void **socket_context,
			  enum MHD_ConnectionNotificationCode what)
{
	struct http *http = context;

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		http->arriving->connection = connection;
		*socket_context = http->arriving;
	} else {
		clients__release(*socket_context);
	}
}

/* ---- servers ---- */

static struct MHD_Daemon *start(struct http *http, unsigned int flags, struct MHD_OptionItem *more)
{
	return MHD_start_daemon(
		flags | MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0,
		NULL, NULL, on_request, http, MHD_OPTION_URI_LOG_CALLBACK, on_line, http,
		MHD_OPTION_NOTIFY_COMPLETED, on_completed, http, MHD_OPTION_NOTIFY_CONNECTION,
		on_connection, http, MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CLIENTS_TABLE,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
		MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
		MHD_OPTION_ARRAY, more, MHD_OPTION_END);
}

int http__start(struct http *http, const struct handler *handler, const char *certificate,
		const char *key, struct error *err)
{
	struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
	struct MHD_OptionItem tls[] = {{MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
				       {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
				       {MHD_OPTION_HTTPS_PRIORITIES, 0, PRIORITIES},
				       {MHD_OPTION_END, 0, NULL}};

	*http = (struct http){.handler = handler};
	http->servers[0] = start(http, 0, none);
	if (!http->servers[0])
		return error__say(err, EXIT_INTERNAL, -EIO, "cannot start to serve HTTP");
	if (!certificate)
		return 0;
	http->servers[1] = start(http, MHD_USE_TLS, tls);
	if (http->servers[1])
		return 0;
	return error__say(
		err, EXIT_USAGE, -EINVAL,
		"cannot serve TLS with this certificate and key; check that both are PEM, "
		"and that the key is the certificate's");
}

void http__stop(struct http *http)
{
	for (size_t i = 0; i < HTTP_SERVERS; i++)
		if (http->servers[i])
			MHD_stop_daemon(http->servers[i]);
}

/* The address is not used: the client is identified already. */
void http__add(struct http *http, struct client *client)
{
	static const struct sockaddr address = {.sa_family = AF_UNSPEC};
	struct MHD_Daemon *server = http->servers[client->listener == SERVE_TLS];
	const int socket = client->socket;

	http->arriving = client;
	client->connection = NULL;
	if (MHD_add_connection(server, socket, &address, sizeof(address)) != MHD_YES &&
	    client->state != CLIENT_NONE)
		clients__release(client);
	http->arriving = NULL;
}

void http__resume(struct client *client)
{
	MHD_resume_connection(client->connection);
}

int http__run(struct http *http)
{
	MHD_UNSIGNED_LONG_LONG ms, earliest_ms = INT_MAX;

	for (size_t i = 0; i < HTTP_SERVERS; i++) {
		if (!http->servers[i])
			continue;
		MHD_run(http->servers[i]);
		if (MHD_get_timeout(http->servers[i], &ms) == MHD_YES && ms < earliest_ms)
			earliest_ms = ms;
	}
	return earliest_ms == INT_MAX ? -1 : (int)earliest_ms;
}

int http__descriptor(const struct http *http, unsigned int server)
{
	const union MHD_DaemonInfo *info;

	if (!http->servers[server])
		return -1;
	info = MHD_get_daemon_info(http->servers[server], MHD_DAEMON_INFO_EPOLL_FD);
	return info ? info->epoll_fd : -1;
}
