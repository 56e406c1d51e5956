/* SPDX-License-Identifier: GPL-2.0-only */
/* Handles a request once its head is complete: refuses it, answers it, or asks the sampler. */
#ifndef TOPSTACKS_FRONT_HANDLER_H
#define TOPSTACKS_FRONT_HANDLER_H

#include <stdbool.h>
#include <stdint.h>

#include "front/clients.h"
#include "front/requests.h"

struct handler {
	struct requests *requests;
	uint32_t max_seconds; /* longest profile to wait for */
};

/* Sets the client's reply, or asks the sampler; then the client waits. */
void handler__decide(const struct handler *handler, struct client *client, const char *method);

/* The same for a request with a body, which is ignored. */
void handler__refuse_body(struct client *client);
bool handler__has_body(struct MHD_Connection *connection);

/* Takes the sampler's answer; the client owns its file from now on. */
void handler__answer(struct client *client, const struct reply *reply);

#endif
