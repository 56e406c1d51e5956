/* SPDX-License-Identifier: GPL-2.0-only */
/* The peer of a connection, as far as the kernel identifies it. */
#ifndef TOPSTACKS_FRONT_PEER_H
#define TOPSTACKS_FRONT_PEER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "serve/messages.h"

struct peer {
	uint32_t uid; /* user of the peer; SERVE_NO_UID: TCP */
	struct in6_addr address;
};

/* 0 or negative errno. */
int peer__find(struct peer *peer, int socket, enum serve_listener listener);

bool peer__is_same(const struct peer *one, const struct peer *other);

#endif
