/* SPDX-License-Identifier: GPL-2.0-only */
/* Items of an upload as a pprof profile, with nothing in it that is not meant to leave. */
#ifndef TOPSTACKS_PUSH_PARTS_H
#define TOPSTACKS_PUSH_PARTS_H

#include <stdio.h>

#include "formats/formats.h"
#include "push/upload.h"

/* Bytes that are sent; free() them. */
struct push_bytes {
	char *bytes;
	size_t nr;
	size_t nr_inflated;
};

/*
 * Items of one event, gzipped. start_ns: its beginning, CLOCK_REALTIME. Names of types are as
 * Pyroscope takes them with plain_types: without '-'. 0 or -ENOMEM.
 */
int parts__write(const struct push_upload *upload, size_t from, size_t to, int64_t start_ns,
		 enum write_labels labels, bool plain_types, struct push_bytes *part);

/* Each string of such a profile, a line each. 0 or negative errno. */
int parts__print_strings(FILE *out, const struct push_bytes *part);

#endif
