/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of a request whose head is there: it is refused, or answered, or the sampler is asked. */
#ifndef TOPSTACKS_FRONT_HANDLER_H
#define TOPSTACKS_FRONT_HANDLER_H

#include <stdbool.h>
#include <stdint.h>

#include "front/clients.h"
#include "front/requests.h"

struct handler {
	struct requests *requests;
	uint32_t max_seconds; /* of a profile that is waited for */
};

/* Sets the client's reply, or asks the sampler, and it is the client's turn to wait. */
void handler__decide(const struct handler *handler, struct client *client, const char *method);

/* The same where a body comes with it, which nobody reads. */
void handler__refuse_body(struct client *client);
bool handler__has_body(struct MHD_Connection *connection);

/* The sampler's answer, whose file is the client's from here on. */
void handler__answer(struct client *client, const struct reply *reply);

#endif
