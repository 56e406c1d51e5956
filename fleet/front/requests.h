/* SPDX-License-Identifier: GPL-2.0-only */
/* The sampler, as the front end knows it: requests that are under way, until their answers have been sent. */
#ifndef TOPSTACKS_FRONT_REQUESTS_H
#define TOPSTACKS_FRONT_REQUESTS_H

#include "front/clients.h"
#include "serve/messages.h"

#define REQUESTS_MOST	   128
#define REQUESTS_OF_A_PEER 20 /* few more than he may have connections */

struct underway {
	uint64_t number; /* 0: a free place */
	struct peer peer;
	struct client *client;
	bool is_answered; /* which is being sent */
};

struct requests {
	int channel;
	uint64_t last_number;
	struct underway table[REQUESTS_MOST];
};

/* Sends it, with a number of its own. 0; -EBUSY: too many are under way; -EAGAIN, -EPIPE (base/system/channel.h). */
int requests__ask(struct requests *requests, struct client *client, struct serve_request *request);

/* The client has all of its answer, or it is gone, and the sampler is told so. */
void requests__end(struct requests *requests, const struct client *client, bool was_delivered);

/*
 * Puts an answer that has come into *reply, whose file becomes the caller's, and tells for whom it is, NULL: for
 * one who is gone. 0; -EAGAIN: there is none; else it is over: -EPIPE, or an error.
 */
int requests__receive(struct requests *requests, struct client **client, struct reply *reply);

#endif
