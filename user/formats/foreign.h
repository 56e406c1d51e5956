/* SPDX-License-Identifier: GPL-2.0-only */
/* Recognizes files of other formats, which cannot be read, to name them in the error. */
#ifndef TOPSTACKS_FORMATS_FOREIGN_H
#define TOPSTACKS_FORMATS_FOREIGN_H

#include "base/common.h"

struct error;

/* True if one of the first bytes cannot be in a text. */
bool foreign__is_binary(const char *bytes, size_t nr_bytes);

/*
 * Recognizes another format by the first megabyte. 0 if the file may be readable; -EINVAL with err
 * filled, which names the format and how to convert it. The bytes are decompressed, and text is
 * UTF-8. looks_folded: the first line looks like folded text, so another format needs more
 * evidence.
 */
int foreign__refuse(const char *bytes, size_t nr_bytes, bool looks_folded, struct error *err);

#endif
