/* SPDX-License-Identifier: GPL-2.0-only */
/* The requests to the sampler that are under way, until their answers have been sent. */
#ifndef TOPSTACKS_FRONT_REQUESTS_H
#define TOPSTACKS_FRONT_REQUESTS_H

#include "front/clients.h"
#include "serve/messages.h"

#define REQUESTS_MOST	   128
#define REQUESTS_OF_A_PEER 20 /* a few more than its connections */

struct underway {
	uint64_t number; /* 0: a free entry */
	struct peer peer;
	struct client *client;
	bool is_answered; /* its answer is being sent */
};

struct requests {
	int channel;
	uint64_t last_number;
	struct underway table[REQUESTS_MOST];
};

/*
 * Sends a request with a number of its own. 0; -EBUSY: too many are under way; -EAGAIN, -EPIPE
 * (base/system/channel.h).
 */
int requests__ask(struct requests *requests, struct client *client, struct serve_request *request);

/* The client has all of its answer, or is gone; tells the sampler which. */
void requests__end(struct requests *requests, const struct client *client, bool was_delivered);

/*
 * Takes an answer into *reply; the caller owns its file. *client: the client that it is for; NULL:
 * that one is gone. 0; -EAGAIN: there is none; -EPIPE or another error: the channel is closed.
 */
int requests__receive(struct requests *requests, struct client **client, struct reply *reply);

#endif
