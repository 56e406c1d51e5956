/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits for whatever comes next, and has it dealt with. */
#ifndef TOPSTACKS_FRONT_LOOP_H
#define TOPSTACKS_FRONT_LOOP_H

#include "front/clients.h"
#include "front/http.h"
#include "front/requests.h"
#include "front/setup.h"

struct loop {
	const struct setup *setup;
	struct requests *requests;
	struct clients *clients;
	struct http *http;
};

/* Until the channel ends: 0; or negative errno. */
int loop__run(const struct loop *loop);

#endif
