// SPDX-License-Identifier: GPL-2.0-only
/* A profile a request, as the OpenTelemetry Collector's receiver of pprof takes it. */
#include <stdlib.h>

#include "push/target.h"

static int make(const struct push_upload *upload, size_t from, size_t to, int64_t start_ns,
		struct push_bytes *body)
{
	return parts__write(upload, from, to, start_ns, WRITE_NAMES, false, body);
}

static int print_strings(FILE *out, const struct push_upload *upload, size_t from, size_t to)
{
	struct push_bytes body;
	int code = make(upload, from, to, 0, &body);

	if (!code)
		code = parts__print_strings(out, &body);
	free(body.bytes);
	return code;
}

const struct push_target target_pprof = {
	.labels = {.comm = "comm", .container = "container"},
	.content_type = "application/octet-stream",
	.limit = upload__end_of_event,
	.make = make,
	.print_strings = print_strings,
};
