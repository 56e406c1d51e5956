/* SPDX-License-Identifier: GPL-2.0-only */
/* Compressed files: written as a stream, read as a whole up to a limit. */
#ifndef TOPSTACKS_FORMATS_GZIP_H
#define TOPSTACKS_FORMATS_GZIP_H

#include "base/common.h"

struct gzip;

/* Compresses into out, which is borrowed. NULL: out of memory. */
struct gzip *gzip__new(FILE *out);
void gzip__free(struct gzip *gzip);

/* nr_bytes must be below 4 GB. 0, or the negative errno of out. */
int gzip__write(struct gzip *gzip, const void *bytes, size_t nr_bytes);
int gzip__finish(struct gzip *gzip);

bool gzip__is(const void *bytes, size_t nr_bytes);

/*
 * Inflates all members of a file; the caller frees *inflated. 0, or with err filled -EFBIG: more
 * than max_bytes; -EINVAL: damaged or truncated; -ENOMEM.
 */
int gzip__inflate(const void *bytes, size_t nr_bytes, size_t max_bytes, char **inflated,
		  size_t *nr_inflated, struct error *err);

#endif
