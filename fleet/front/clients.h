/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who is connected: a bounded table, with a bound for each peer, and with a time by which each client has to have
 * done what is his to do. What is beyond the bounds may ask, and is told to come again; beyond the table
 * nobody is heard.
 */
#ifndef TOPSTACKS_FRONT_CLIENTS_H
#define TOPSTACKS_FRONT_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "front/peer.h"

#define CLIENTS_MOST	  64
#define CLIENTS_OF_A_PEER 16
#define CLIENTS_TABLE	  96 /* with those who are told to come again */

enum client_state {
	CLIENT_NONE,  /* a free place in the table */
	CLIENT_SENDS, /* or may send, a request */
	CLIENT_WAITS, /* for the sampler's answer */
	CLIENT_TAKES, /* the answer */
};

struct MHD_Connection;

/* What a request is answered with. */
struct reply {
	unsigned int status; /* of HTTP; 0: there is none yet */
	uint32_t subject;    /* enum serve_subject, with a file */
	int file;	     /* -1: none; a 200 without one is the list of what there is */
	char text[512];	     /* the sentence of an error */
};

struct client {
	enum client_state state;
	int socket;
	enum serve_listener listener;
	struct peer peer;
	bool is_surplus;
	bool is_gone;	      /* while it waited */
	bool waits_for_time;  /* that has not come yet */
	uint64_t deadline_ns; /* of CLOCK_MONOTONIC */
	struct MHD_Connection *connection;
	char *target; /* of the request, as it came; NULL: it has not come */
	struct reply reply;
	struct reply own; /* of ours, once the sampler knows the token; status 0: there is none */
};

struct clients {
	struct client table[CLIENTS_TABLE];
};

/* A place for somebody who has connected; NULL: there is none for him. */
struct client *clients__admit(struct clients *clients, int socket, enum serve_listener listener,
			      const struct peer *peer);

/* Frees the place. */
void clients__release(struct client *client);

/* Its request has come, by its first line. NULL target: there was no memory. */
void client__begin(struct client *client, char *target);

/* It is the sampler's turn; what follows may take as long as it does. */
void client__wait(struct client *client, bool for_time);

/* It is to take an answer of so many bytes. */
void client__take(struct client *client, uint64_t nr_bytes);

/* Its request is done with, however it ended; it may send the next one. */
void client__end(struct client *client);

/* Ends the connections whose time is over. The earliest time of the others, UINT64_MAX if there is none. */
uint64_t clients__expire(struct clients *clients);

#endif
