/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data that the sampling thread and the display thread share: intervals in one direction,
 * requests from keys in the other. Neither thread ever waits for the other.
 */
#ifndef TOPSTACKS_LIVE_EXCHANGE_H
#define TOPSTACKS_LIVE_EXCHANGE_H

#include <pthread.h>

#include "base/common.h"
#include "profile/recording.h"
#include "run/display.h"

/* An interval that waits to be shown. It has a dictionary of its own. */
struct handed {
	struct handed *next;
	struct recording interval;
};

struct exchange {
	/* readable for the display thread: intervals are waiting, or the end is near */
	int wake_fd;
	int request_fd; /* readable for the sampling thread: there is a request */

	pthread_mutex_t lock;	/* guards the members below */
	struct handed *waiting; /* oldest first */
	struct session_request request;
	bool is_over;	 /* no more intervals will come */
	bool is_closing; /* the display is to end */
};

/* 0 or negative errno. Call fini also after an error. */
int exchange__init(struct exchange *exchange);
void exchange__fini(struct exchange *exchange);

/* For the sampling thread: hands over a copy. */
void exchange__give(struct exchange *exchange, const struct recording *interval);
/* True if the previous interval has not been taken yet. */
bool exchange__is_busy(struct exchange *exchange);
void exchange__end(struct exchange *exchange, bool is_closing);
/* Returns all requests since the last call. */
void exchange__take_request(struct exchange *exchange, struct session_request *request);

/*
 * For the display thread: takes all waiting intervals, oldest first. The caller frees each of them.
 * NULL: there are none.
 */
struct handed *exchange__take(struct exchange *exchange, bool *is_over, bool *is_closing);
void handed__free(struct handed *handed);
void exchange__ask(struct exchange *exchange, const struct session_request *request);

#endif
