/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The thread that answers the front end. A request waits until all slices of its time are kept. The
 * slice under way is cut at the begin and end of that time.
 */
#ifndef TOPSTACKS_SERVE_RESPONDER_H
#define TOPSTACKS_SERVE_RESPONDER_H

#include "serve/answers.h"
#include "serve/messages.h"

struct responder;

struct responder_plan {
	int channel;		 /* to the front end; borrowed, like all pointers here */
	int keeper;		 /* readable when no front end will be started any more; -1: none */
	struct answers *answers; /* used only by this thread from now on */
	/*
	 * Called by this thread when rules have fired; fired: bits by rule number. NULL: there are
	 * no rules.
	 */
	void (*save)(void *context, uint32_t fired);
	void *context;
};

/* Starts the thread. 0 or negative errno. */
int responder__start(struct responder **responder, const struct responder_plan *plan);
/* NULL is fine. Pending requests get an error. */
void responder__stop(struct responder *responder);

/* For the sampling thread: readable when the interval under way should be cut. */
int responder__cut_fd(const struct responder *responder);
/* For the sampling thread: whether to cut; resets the request. */
bool responder__wants_cut(struct responder *responder);
/* For the sampling thread: whether no front end can ask any more. */
bool responder__is_deaf(const struct responder *responder);
/* For the sampling thread: tells that a slice was added to the store, and which rules fired. */
void responder__slice_came(struct responder *responder, uint32_t fired);

#endif
