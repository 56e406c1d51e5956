// SPDX-License-Identifier: GPL-2.0-only
#include "front/clients.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

#define SECONDS(count) ((uint64_t)(count)*1000000000)

#define TO_SEND		  SECONDS(10) /* a request, TLS included */
#define TO_COME_AGAIN	  SECONDS(30) /* with the next one, on the same connection */
#define TO_TAKE		  SECONDS(60) /* an answer, and */
#define BYTES_A_SECOND	  32768	      /* as many seconds more as it is long */
#define SURPLUS_OF_A_PEER 4

static const struct reply no_reply = {.file = -1};

/* Counts entries of one kind, surplus or not; with peer, only that peer's. */
static size_t count(const struct clients *clients, bool are_surplus, const struct peer *peer)
{
	size_t nr = 0;

	for (size_t i = 0; i < CLIENTS_TABLE; i++) {
		const struct client *client = &clients->table[i];

		nr += client->state != CLIENT_NONE && client->is_surplus == are_surplus &&
		      (!peer || peer__is_same(&client->peer, peer));
	}
	return nr;
}

struct client *clients__admit(struct clients *clients, int socket, enum serve_listener listener,
			      const struct peer *peer)
{
	const bool is_surplus = count(clients, false, NULL) >= CLIENTS_MOST ||
				count(clients, false, peer) >= CLIENTS_OF_A_PEER;
	struct client *client = NULL;

	for (size_t i = 0; i < CLIENTS_TABLE && !client; i++)
		if (clients->table[i].state == CLIENT_NONE)
			client = &clients->table[i];
	if (!client || (is_surplus && count(clients, true, peer) >= SURPLUS_OF_A_PEER))
		return NULL;
	*client = (struct client){.state = CLIENT_SENDS,
				  .socket = socket,
				  .listener = listener,
				  .peer = *peer,
				  .is_surplus = is_surplus,
				  .deadline_ns = monotonic_ns() + TO_SEND,
				  .reply = no_reply,
				  .own = no_reply};
	return client;
}

static void forget_request(struct client *client)
{
	free(client->target);
	client->target = NULL;
	if (client->reply.file >= 0)
		close(client->reply.file);
	client->reply = no_reply;
	client->own = no_reply;
}

void clients__release(struct client *client)
{
	forget_request(client);
	client->state = CLIENT_NONE;
}

void client__begin(struct client *client, char *target)
{
	const uint64_t deadline_ns = monotonic_ns() + TO_SEND;

	free(client->target);
	client->target = target;
	if (client->deadline_ns > deadline_ns)
		client->deadline_ns = deadline_ns;
}

void client__wait(struct client *client, bool for_time)
{
	client->state = CLIENT_WAITS;
	client->waits_for_time = for_time;
	client->deadline_ns = UINT64_MAX;
}

void client__take(struct client *client, uint64_t nr_bytes)
{
	client->state = CLIENT_TAKES;
	client->deadline_ns = monotonic_ns() + TO_TAKE + SECONDS(nr_bytes / BYTES_A_SECOND);
}

void client__end(struct client *client)
{
	forget_request(client);
	client->state = CLIENT_SENDS;
	client->deadline_ns = monotonic_ns() + TO_COME_AGAIN;
}

/* The server sees that it is over as soon as it reads or writes. */
uint64_t clients__expire(struct clients *clients)
{
	const uint64_t now = monotonic_ns();
	uint64_t earliest = UINT64_MAX;

	for (size_t i = 0; i < CLIENTS_TABLE; i++) {
		struct client *client = &clients->table[i];

		if (client->state == CLIENT_NONE)
			continue;
		if (client->deadline_ns <= now) {
			shutdown(client->socket, SHUT_RDWR);
			client->deadline_ns = UINT64_MAX;
		}
		if (client->deadline_ns < earliest)
			earliest = client->deadline_ns;
	}
	return earliest;
}
