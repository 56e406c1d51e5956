/* SPDX-License-Identifier: GPL-2.0-only */
/* What an HTTP server has answered: taken apart, not trusted. */
#ifndef TOPSTACKS_SERVE_HTTP_ANSWER_H
#define TOPSTACKS_SERVE_HTTP_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Borrowed from the bytes that it was made of. */
struct http_answer {
	unsigned int status; /* 200 */
	char reason[64];     /* "Not Found", as it came */
	const char *body;
	size_t nr_bytes;
	bool is_text; /* text/plain: a sentence for people */
};

/*
 * Of all bytes that came until the server closed. 0, or -EPROTO with err filled: it is no HTTP, its body
 * is not whole, or is in an encoding that nobody asked for.
 */
int http_answer__parse(struct http_answer *answer, const char *bytes, size_t nr_bytes,
		       struct error *err);

/*
 * An answer that is not 200, as an error: its status line and its sentence, safe on a terminal. Returns
 * a negative errno.
 */
int http_answer__refuse(const struct http_answer *answer, struct error *err);

#endif
