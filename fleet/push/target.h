/* SPDX-License-Identifier: GPL-2.0-only */
/* What servers take: one row each in target.c, one file each for what a request is made of. */
#ifndef TOPSTACKS_PUSH_TARGET_H
#define TOPSTACKS_PUSH_TARGET_H

#include "base/error.h"
#include "push/options.h"
#include "push/parts.h"

/* What labels are called there; NULL: they do not leave. */
struct label_names {
	const char *service, *comm, *container;
};

struct push_target {
	struct label_names labels;
	/* Prints what else is a label of a series, as " name=\"value\""; NULL: nothing is. */
	void (*print_more)(FILE *out, const struct push_cargo *cargo, size_t from);

	const char *path; /* behind the URL, unless it ends so already; NULL: the URL is whole */
	const char *content_type;
	const char *encoding; /* of the body, or NULL */
	const char *header;   /* one more, or NULL */
	bool is_partial;      /* an answer may say that a part was rejected, as OpenTelemetry's */

	/* The end of what may be in one request with the first item, at the latest to. */
	size_t (*limit)(const struct push_cargo *cargo, size_t from, size_t to);
	/* The body for a range; free() its bytes. 0 or negative errno. */
	int (*make)(const struct push_cargo *cargo, size_t from, size_t to, int64_t start_ns,
		    struct push_bytes *body);
	/* Every name that is in it. 0 or negative errno. */
	int (*print_strings)(FILE *out, const struct push_cargo *cargo, size_t from, size_t to);
};

extern const struct push_target target_pyroscope, target_otlp, target_pprof;

const struct push_target *target__of(enum push_format format);

/*
 * The URL that requests go to; free() it. Refuses what has a password in it, and http:// to another machine.
 * *is_plain: it is http. 0, or negative errno with err.
 */
int target__url(const struct push_target *target, const char *url, char **whole, bool *is_plain,
		struct error *err);

#endif
