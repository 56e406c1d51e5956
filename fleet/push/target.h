/* SPDX-License-Identifier: GPL-2.0-only */
/* The kinds of servers: a row for each in target.c, and a file for each kind of request. */
#ifndef TOPSTACKS_PUSH_TARGET_H
#define TOPSTACKS_PUSH_TARGET_H

#include "base/error.h"
#include "push/options.h"
#include "push/parts.h"

/* The names of labels on this server; NULL: the label is not sent. */
struct label_names {
	const char *service, *comm, *container;
};

struct push_target {
	struct label_names labels;
	/* Prints further labels of a series, as " name=\"value\""; NULL: there are none. */
	void (*print_more)(FILE *out, const struct push_upload *upload, size_t from);

	const char *path; /* appended to the URL unless it ends with it; NULL: the URL is
			   * complete */
	const char *content_type;
	const char *encoding; /* of the body; may be NULL */
	const char *header;   /* an additional header; may be NULL */
	bool is_partial;      /* an answer may report that a part was rejected, as in
			       * OpenTelemetry */

	/* The end of the items that may be in one request with the first item, at most `to`. */
	size_t (*limit)(const struct push_upload *upload, size_t from, size_t to);
	/* Makes the body for a range; free() its bytes. 0 or negative errno. */
	int (*make)(const struct push_upload *upload, size_t from, size_t to, int64_t start_ns,
		    struct push_bytes *body);
	/* Visits all names in the body. 0 or negative errno. */
	int (*print_strings)(FILE *out, const struct push_upload *upload, size_t from, size_t to);
};

extern const struct push_target target_pyroscope, target_otlp, target_pprof;

const struct push_target *target__of(enum push_format format);

/*
 * The URL of requests; free() it. Refuses URLs with a password, and http:// to another machine.
 * *is_plain: it is http. 0, or negative errno with err filled.
 */
int target__url(const struct push_target *target, const char *url, char **whole, bool *is_plain,
		struct error *err);

#endif
