/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the thread that samples and the thread that shows have in common: intervals one way, what
 * keys ask for the other way. Neither ever waits for the other.
 */
#ifndef TOPSTACKS_LIVE_EXCHANGE_H
#define TOPSTACKS_LIVE_EXCHANGE_H

#include <pthread.h>
#include <stdbool.h>

#include "profile/recording.h"
#include "run/display.h"

/* An interval that waits to be shown, with a dictionary of its own. */
struct handed {
	struct handed *next;
	struct recording interval;
};

struct exchange {
	int wake_fd;	/* readable for who shows: there are intervals, or the end is near */
	int request_fd; /* readable for who samples: something is asked for */

	pthread_mutex_t lock;	/* guards the rest */
	struct handed *waiting; /* oldest first */
	struct session_request request;
	bool is_over;	 /* nothing will follow */
	bool is_closing; /* nobody looks any more */
};

/* 0 or negative errno; fini also after an error. */
int exchange__init(struct exchange *exchange);
void exchange__fini(struct exchange *exchange);

/* By who samples: hands over a copy. 0 or -ENOMEM. */
int exchange__give(struct exchange *exchange, const struct recording *interval);
/* The interval before has not been taken yet. */
bool exchange__is_busy(struct exchange *exchange);
void exchange__end(struct exchange *exchange, bool is_closing);
/* All that was asked for since the last call. */
void exchange__take_request(struct exchange *exchange, struct session_request *request);

/* By who shows: takes what waits, oldest first, each to be freed. NULL: nothing. */
struct handed *exchange__take(struct exchange *exchange, bool *is_over, bool *is_closing);
void handed__free(struct handed *handed);
void exchange__ask(struct exchange *exchange, const struct session_request *request);

#endif
