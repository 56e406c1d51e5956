// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any process may listen at that path, so the server is not trusted: it gets limited time and
 * memory, and the token beside the socket only if the token file belongs to the server's user.
 */
#include "serve/client.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/system/secret.h"
#include "serve/http_answer.h"
#include "serve/serve_socket.h"
#include "serve/token.h"

#define PIECE_BYTES 65536
#define MAX_REQUEST 4096

/* ---- connecting ---- */

/*
 * Connects without waiting: a server with a full queue counts as none. A connection, or negative
 * errno.
 */
static int connect_to(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd, code;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	if (!connect(fd, (const struct sockaddr *)&address, sizeof(address)))
		return fd;
	code = -errno;
	close(fd);
	return code;
}

/*
 * Connects to the named socket or a default one. *path: that socket; free() it. A descriptor, or
 * negative errno with err filled.
 */
static int connect_somewhere(const char *named, char **path, struct error *err)
{
	const char *first = named ? named : SERVE_SOCKET;
	char *own = named ? NULL : serve_socket__own();
	int code = connect_to(first), other = code < 0 && own ? connect_to(own) : -ENOENT;
	struct quoted quoted;

	if (other >= 0) {
		*path = own;
		return other;
	}
	free(own);
	*path = xstrdup(first);
	if (code >= 0)
		return code;
	if (code == -ENOENT || code == -ECONNREFUSED || code == -ENOTDIR)
		return error__say(err, EXIT_SYSTEM, code,
				  "no process listens at %s; \"sudo topstacks serve\" samples all "
				  "the time, so that there is a past to ask for",
				  quote(&quoted, first));
	error__set(err, EXIT_SYSTEM, code, "cannot ask topstacks serve at %s",
		   quote(&quoted, first));
	return code == -EAGAIN ? error__remedy(err, "it is busy: try again") : code;
}

/* ---- sending and receiving ---- */

/* A connection, with the deadline of the whole exchange. */
struct client_exchange {
	int fd;
	uint64_t deadline_ns;
	size_t max_bytes;
	char *bytes; /* received */
	size_t nr, capacity;
};

/* Waits for events. 0, or -ETIMEDOUT. */
static int wait_for(const struct client_exchange *exchange, short events)
{
	struct pollfd poll_fd = {.fd = exchange->fd, .events = events};
	int nr;

	do {
		const uint64_t now_ns = monotonic_ns();

		if (now_ns >= exchange->deadline_ns)
			return -ETIMEDOUT;
		nr = poll(&poll_fd, 1, (int)((exchange->deadline_ns - now_ns) / 1000000) + 1);
	} while (nr < 0 && errno == EINTR);
	return nr < 0 ? -errno : nr ? 0 : -ETIMEDOUT;
}

static int send_all(const struct client_exchange *exchange, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		ssize_t nr = send(exchange->fd, text, left, MSG_NOSIGNAL);
		int code;

		if (nr < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		code = nr < 0 ? wait_for(exchange, POLLOUT) : 0;
		if (code)
			return code;
		text += nr > 0 ? nr : 0;
		left -= nr > 0 ? (size_t)nr : 0;
	}
	return 0;
}

static int receive_all(struct client_exchange *exchange)
{
	ssize_t nr = 1;

	while (nr > 0) {
		int code = wait_for(exchange, POLLIN);

		if (code)
			return code;
		array__reserve(&exchange->bytes, &exchange->capacity, exchange->nr + PIECE_BYTES);
		nr = recv(exchange->fd, exchange->bytes + exchange->nr, PIECE_BYTES, 0);
		if (nr < 0 && (errno == EAGAIN || errno == EINTR))
			nr = 1;
		else if (nr > 0)
			exchange->nr += (size_t)nr;
		if (nr > 0 && exchange->nr >= exchange->max_bytes)
			return -EFBIG;
	}
	/* A server that refuses early closes with bytes unread, which resets the connection. */
	return nr == 0 || (errno == ECONNRESET && exchange->nr) ? 0 : -errno;
}

/* ---- the request ---- */

static int make_request(const struct serve_client *client, int fd, const char *path,
			const char *target, char *request, struct error *err)
{
	char token[TOKEN_SIZE] = "";
	int code = 0, length;

	if (client->token_file)
		code = secret__read_named(client->token_file, token, sizeof(token), err);
	else
		client_token__look(path, fd, token, sizeof(token));
	if (code)
		return code;
	length = snprintf(request, MAX_REQUEST,
			  "GET %s HTTP/1.0\r\nHost: localhost\r\nUser-Agent: topstacks\r\n%s%s%s"
			  "\r\n",
			  target, *token ? "Authorization: Bearer " : "", token,
			  *token ? "\r\n" : "");
	explicit_bzero(token, sizeof(token));
	return length < MAX_REQUEST ? 0
				    : error__say(err, EXIT_USAGE, -E2BIG,
						 "what is asked for is too long for one request");
}

int client__get(const struct serve_client *client, const char *target, char **bytes,
		size_t *nr_bytes, struct error *err)
{
	struct client_exchange exchange = {
		.max_bytes = client->max_bytes,
		.deadline_ns = monotonic_ns() + client->timeout_ns,
	};
	char request[MAX_REQUEST], *path = NULL;
	struct http_answer answer;
	int code;

	exchange.fd = connect_somewhere(client->socket, &path, err);
	code = exchange.fd < 0 ? exchange.fd : 0;
	if (!code)
		code = make_request(client, exchange.fd, path, target, request, err);
	if (!code) {
		code = send_all(&exchange, request);
		if (!code || code == -EPIPE)
			code = receive_all(&exchange);
		if (code)
			error__set(err, EXIT_SYSTEM, code, "topstacks serve gave no whole answer");
		if (code == -EFBIG)
			error__remedy(err, "ask for less, such as one process");
	}
	if (!code)
		code = http_answer__parse(&answer, exchange.bytes, exchange.nr, err);
	if (!code && answer.status != 200)
		code = http_answer__refuse(&answer, err);
	if (!code) {
		memmove(exchange.bytes, answer.body, answer.nr_bytes);
		*bytes = exchange.bytes;
		*nr_bytes = answer.nr_bytes;
		exchange.bytes = NULL;
	}
	explicit_bzero(request, sizeof(request));
	free(exchange.bytes);
	free(path);
	if (exchange.fd >= 0)
		close(exchange.fd);
	return code;
}
