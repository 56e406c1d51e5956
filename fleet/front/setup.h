/* SPDX-License-Identifier: GPL-2.0-only */
/* The data that a front end gets at its start. */
#ifndef TOPSTACKS_FRONT_SETUP_H
#define TOPSTACKS_FRONT_SETUP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "serve/messages.h"

struct setup {
	size_t nr_listeners;
	int sockets[SERVE_MAX_LISTENERS];
	enum serve_listener listeners[SERVE_MAX_LISTENERS];
	uint32_t max_seconds;
	char *certificate, *key; /* PEM, terminated; NULL: there is no TLS */
};

/* Waits for it on the channel. 0 or negative errno. */
int setup__receive(struct setup *setup, int channel, struct error *err);

/*
 * Waits until the sampler has heard of this front end, and forgotten those before it. 0, or
 * negative errno with err.
 */
int setup__greet(int channel, struct error *err);

/* Wipes what is secret, and keeps the listeners. */
void setup__wipe(struct setup *setup);

#endif
