/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of other formats, which are known and not read. */
#ifndef TOPSTACKS_FORMATS_FOREIGN_H
#define TOPSTACKS_FORMATS_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

struct error;

/* Some of its first bytes are in no text. */
bool foreign__is_binary(const char *bytes, size_t nr_bytes);

/*
 * What such a file is, by its first megabyte, and what helps: 0 if it may be one that is read, or
 * -EINVAL with err filled. Bytes are those after decompression, text is UTF-8. Where the first line looks
 * like folded text, it takes more to be another one.
 */
int foreign__refuse(const char *bytes, size_t nr_bytes, bool looks_folded, struct error *err);

#endif
