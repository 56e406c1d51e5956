/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sends the rest of a file, part by part, and books the result of each. A part is a range of items;
 * a part that is too large is halved. The state is written before each request, so that it always
 * tells what may have arrived.
 */
#ifndef TOPSTACKS_PUSH_SENDER_H
#define TOPSTACKS_PUSH_SENDER_H

#include "push/http.h"
#include "push/options.h"
#include "push/signals.h"
#include "push/state.h"
#include "push/target.h"
#include "push/upload.h"

struct push_sender {
	const struct push_options *options;
	const struct push_target *target;
	struct push_http *http;
	struct push_state *state;
	struct push_signals *signals;
	void (*on_wait)(void *context); /* called before waits */
	void *context;
	unsigned int nr_failures; /* consecutive */
};

/* The end of the range to send next. Divides ranges that are larger than servers accept. */
int sender__next_range(const struct push_target *target, struct push_state *state,
		       const struct push_upload *upload, int64_t start_ns, size_t *to,
		       struct push_bytes *body);

/* The begin of a file for the server: not later than now. */
int64_t sender__start_ns(const struct push_upload *upload);

/* 0: all is sent; -EINTR: a signal came; or negative errno with err filled, and the rest waits. */
int sender__send(struct push_sender *sender, const struct push_upload *upload, struct error *err);

#endif
