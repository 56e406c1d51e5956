/* SPDX-License-Identifier: GPL-2.0-only */
/* Percent-encoding (RFC 3986), strictly: a % without two hexadecimal digits is an error. */
#ifndef TOPSTACKS_FRONT_PERCENT_H
#define TOPSTACKS_FRONT_PERCENT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Decodes length bytes into out, terminated; with plus_is_space as in queries. 0; -EINVAL: a
 * percent sign without two digits after it, or a control character, encoded or not; -E2BIG: it is
 * all right, but there is no room for it, and out is what there was room for.
 */
int percent__decode(const char *text, size_t length, bool plus_is_space, char *out, size_t size);

#endif
