// SPDX-License-Identifier: GPL-2.0-only
#include "front/loop.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

#define ACCEPTS_AT_ONCE 16  /* before other work gets its turn */
#define REST_MS		200 /* while there is no memory for a connection */
#define MS_NS		1000000

/* The polled descriptors, in this order. -1 is skipped. */
struct awaited {
	struct pollfd channel;
	struct pollfd listeners[SERVE_MAX_LISTENERS];
	struct pollfd servers[HTTP_SERVERS];
	struct pollfd waiting[CLIENTS_TABLE]; /* clients, of which the server takes no notice */
};

#define NR_AWAITED (sizeof(struct awaited) / sizeof(struct pollfd))

static struct pollfd await(int descriptor, short events)
{
	return (struct pollfd){.fd = descriptor, .events = events};
}

/*
 * A client that has closed its side may still receive data that is ready, but we do not wait with
 * it for time to pass.
 */
static struct pollfd await_client(const struct client *client)
{
	if (client->state != CLIENT_WAITS || client->is_gone || client->reply.status)
		return await(-1, 0);
	return await(client->socket, client->waits_for_time ? POLLRDHUP : 0);
}

static void fill(struct awaited *awaited, const struct loop *loop, bool rests)
{
	awaited->channel = await(loop->requests->channel, POLLIN);
	for (size_t i = 0; i < SERVE_MAX_LISTENERS; i++)
		awaited->listeners[i] = await(
			i < loop->setup->nr_listeners && !rests ? loop->setup->sockets[i] : -1,
			POLLIN);
	for (unsigned int i = 0; i < HTTP_SERVERS; i++)
		awaited->servers[i] = await(http__descriptor(loop->http, i), POLLIN);
	for (size_t i = 0; i < CLIENTS_TABLE; i++)
		awaited->waiting[i] = await_client(&loop->clients->table[i]);
}

/* ---- what has come ---- */

static void welcome(const struct loop *loop, int socket, enum serve_listener listener)
{
	struct client *client = NULL;
	struct peer peer;

	if (!peer__find(&peer, socket, listener))
		client = clients__admit(loop->clients, socket, listener, &peer);
	if (client)
		http__add(loop->http, client);
	else
		close(socket);
}

/* Whether there is a shortage, which passes. */
static bool accept_some(const struct loop *loop, size_t which)
{
	for (size_t i = 0; i < ACCEPTS_AT_ONCE; i++) {
		const int socket = accept4(loop->setup->sockets[which], NULL, NULL,
					   SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (socket >= 0)
			welcome(loop, socket, loop->setup->listeners[which]);
		else
			return errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
			       errno == ENOBUFS;
	}
	return false;
}

static bool accept_all(const struct loop *loop, const struct awaited *awaited)
{
	bool is_short = false;

	for (size_t i = 0; i < loop->setup->nr_listeners; i++)
		if (awaited->listeners[i].revents)
			is_short |= accept_some(loop, i);
	return is_short;
}

/* 0; or negative errno: the sampler has ended. */
static int take_answers(const struct loop *loop)
{
	struct reply reply;
	struct client *client;
	int code;

	for (;;) {
		code = requests__receive(loop->requests, &client, &reply);
		if (code)
			return code == -EAGAIN ? 0 : code;
		if (client) {
			handler__answer(client, &reply);
			http__resume(client);
		} else if (reply.file >= 0) {
			close(reply.file);
		}
	}
}

static void notice_gone(const struct loop *loop, const struct awaited *awaited)
{
	for (size_t i = 0; i < CLIENTS_TABLE; i++) {
		struct client *client = &loop->clients->table[i];

		if (!awaited->waiting[i].revents || client->state != CLIENT_WAITS ||
		    client->reply.status)
			continue;
		client->is_gone = true;
		requests__end(loop->requests, client, false);
		http__resume(client);
	}
}

/* ---- the loop ---- */

static int sooner_ms(int ms, uint64_t deadline_ns)
{
	const uint64_t now = monotonic_ns();
	uint64_t left_ms;

	if (deadline_ns == UINT64_MAX)
		return ms;
	left_ms = deadline_ns > now ? (deadline_ns - now) / MS_NS + 1 : 0;
	return ms < 0 || left_ms < (uint64_t)ms ? (int)left_ms : ms;
}

static int turn(const struct loop *loop, bool *rests)
{
	struct awaited awaited;
	int ms, code;

	ms = http__run(loop->http);
	ms = sooner_ms(ms, clients__expire(loop->clients));
	if (*rests && (ms < 0 || ms > REST_MS))
		ms = REST_MS;
	fill(&awaited, loop, *rests);
	if (poll((struct pollfd *)&awaited, NR_AWAITED, ms) < 0)
		return errno == EINTR ? 0 : -errno;
	code = awaited.channel.revents ? take_answers(loop) : 0;
	if (code)
		return code;
	notice_gone(loop, &awaited);
	*rests = accept_all(loop, &awaited);
	return 0;
}

int loop__run(const struct loop *loop)
{
	bool rests = false;
	int code;

	do
		code = turn(loop, &rests);
	while (!code);
	/* the server may not be stopped while clients wait for an answer, which will not come */
	for (size_t i = 0; i < CLIENTS_TABLE; i++)
		if (loop->clients->table[i].state == CLIENT_WAITS &&
		    !loop->clients->table[i].reply.status) {
			loop->clients->table[i].is_gone = true;
			http__resume(&loop->clients->table[i]);
		}
	return code == -EPIPE ? 0 : code;
}
