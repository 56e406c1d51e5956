/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The connected clients: a bounded table, with a limit for each peer, and a deadline for each
 * client's next step. A client beyond the limits may send a request, and is told to come again;
 * beyond the table, connections are closed at once.
 */
#ifndef TOPSTACKS_FRONT_CLIENTS_H
#define TOPSTACKS_FRONT_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "front/peer.h"

#define CLIENTS_MOST	  64
#define CLIENTS_OF_A_PEER 16
#define CLIENTS_TABLE	  96 /* including clients that are told to come again */

enum client_state {
	CLIENT_NONE,  /* a free entry of the table */
	CLIENT_SENDS, /* sends, or may send, a request */
	CLIENT_WAITS, /* waits for the sampler's answer */
	CLIENT_TAKES, /* receives the answer */
};

struct MHD_Connection;

/* The answer to a request. */
struct reply {
	unsigned int status; /* HTTP status; 0: none yet */
	uint32_t subject;    /* enum serve_subject, with a file */
	int file;	     /* -1: none; a 200 without a file is the list of endpoints */
	char text[512];	     /* the sentence of an error */
};

struct client {
	enum client_state state;
	int socket;
	enum serve_listener listener;
	struct peer peer;
	bool is_surplus;
	bool is_gone;	      /* it left while it waited */
	bool waits_for_time;  /* for time that is still to come */
	uint64_t deadline_ns; /* CLOCK_MONOTONIC */
	struct MHD_Connection *connection;
	char *target; /* of the request, unchanged; NULL: not received yet */
	struct reply reply;
	struct reply own; /* our own answer, sent once the sampler has accepted the token; status
			   * 0: none */
};

struct clients {
	struct client table[CLIENTS_TABLE];
};

/* Adds a client that has connected; NULL: there is no room. */
struct client *clients__admit(struct clients *clients, int socket, enum serve_listener listener,
			      const struct peer *peer);

/* Frees the entry. */
void clients__release(struct client *client);

/* Notes the first line of its request. target NULL: out of memory. */
void client__begin(struct client *client, char *target);

/* The sampler works for it: the client has no deadline meanwhile. */
void client__wait(struct client *client, bool for_time);

/* The client receives an answer of this size. */
void client__take(struct client *client, uint64_t nr_bytes);

/* Its request is finished, well or not; it may send the next one. */
void client__end(struct client *client);

/*
 * Ends connections past their deadline. Returns the earliest deadline of the others; UINT64_MAX:
 * there is none.
 */
uint64_t clients__expire(struct clients *clients);

#endif
