/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests to one server. Certificates are checked, redirects are not followed, plain HTTP goes to
 * loopback addresses alone, whatever a name stands for, and to no proxy.
 */
#ifndef TOPSTACKS_PUSH_HTTP_H
#define TOPSTACKS_PUSH_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "push/options.h"
#include "push/target.h"

#define ANSWER_BYTES 65536

struct push_http;

struct push_answer {
	long status;		      /* HTTP status; 0: no complete answer */
	bool may_have_arrived;	      /* though there is no answer: the request was under way */
	bool was_interrupted;	      /* by a signal */
	double retry_after_s;	      /* as the server wishes; negative: it did not say */
	char why[256];		      /* there is no answer */
	size_t nr_bytes;	      /* of the answer, as far as it was read */
	char bytes[ANSWER_BYTES + 1]; /* ended by a zero; hostile */
};

/* 0, or negative errno with err. should_stop is asked while a request is under way. */
int http__open(struct push_http **http, const struct push_options *options,
	       const struct push_target *target, bool (*should_stop)(void *context), void *context,
	       struct error *err);
void http__close(struct push_http *http);

void http__post(struct push_http *http, const void *bytes, size_t nr_bytes,
		struct push_answer *answer);

#endif
