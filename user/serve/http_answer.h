/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses an answer of an HTTP server, which is not trusted. */
#ifndef TOPSTACKS_SERVE_HTTP_ANSWER_H
#define TOPSTACKS_SERVE_HTTP_ANSWER_H

#include "base/common.h"

/* Pointers are into the bytes of the answer. */
struct http_answer {
	unsigned int status; /* 200 */
	char reason[64];     /* "Not Found", not escaped */
	const char *body;
	size_t nr_bytes;
	bool is_text; /* text/plain: a sentence for people */
};

/*
 * Parses all bytes up to the end of the connection. 0, or -EPROTO with err filled: it is not HTTP,
 * the body is incomplete, or in an encoding that was not requested.
 */
int http_answer__parse(struct http_answer *answer, const char *bytes, size_t nr_bytes,
		       struct error *err);

/*
 * Sets an error from an answer other than 200: status line and sentence, safe for a terminal.
 * Returns a negative errno.
 */
int http_answer__refuse(const struct http_answer *answer, struct error *err);

#endif
