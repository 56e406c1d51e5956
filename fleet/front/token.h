/* SPDX-License-Identifier: GPL-2.0-only */
/* The secret that comes with a request. */
#ifndef TOPSTACKS_FRONT_TOKEN_H
#define TOPSTACKS_FRONT_TOKEN_H

#include <stddef.h>

/*
 * What an Authorization says: "Bearer TOKEN", or "Basic ..." with TOKEN as the password of anybody. 0; -EINVAL: it
 * is neither, or longer than there is room for, and token is empty.
 */
int token__take(const char *authorization, char *token, size_t size);

#endif
