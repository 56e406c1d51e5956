/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The thread that answers the front end. A request waits until all slices of its time are kept; the one
 * under way is cut for it where it begins and where it ends.
 */
#ifndef TOPSTACKS_SERVE_RESPONDER_H
#define TOPSTACKS_SERVE_RESPONDER_H

#include "serve/answers.h"
#include "serve/messages.h"

struct responder;

struct responder_plan {
	int channel; /* to the front end; borrowed, as all of these */
	int keeper;  /* readable when nobody will start a front end again; -1: nobody tells */
	struct answers *answers; /* this thread's alone from here on */
	/* By this thread, when rules have fired: bits by their numbers. NULL: there are none. */
	void (*save)(void *context, uint32_t fired);
	void *context;
};

/* 0 or negative errno. */
int responder__start(struct responder **responder, const struct responder_plan *plan);
/* NULL is fine. What waits is told that it waits in vain. */
void responder__stop(struct responder *responder);

/* By who samples: readable when the interval under way is to be cut. */
int responder__cut_fd(const struct responder *responder);
/* By who samples: whether it is; once. */
bool responder__wants_cut(struct responder *responder);
/* By who samples: nobody can ask any more. */
bool responder__is_deaf(const struct responder *responder);
/* By who samples: a slice was added to the store, with which these rules fired. */
void responder__slice_came(struct responder *responder, uint32_t fired);

#endif
