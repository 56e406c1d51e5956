/* SPDX-License-Identifier: GPL-2.0-only */
/* The secret that comes with a request. */
#ifndef TOPSTACKS_FRONT_TOKEN_H
#define TOPSTACKS_FRONT_TOKEN_H

#include <stddef.h>

/*
 * Takes the token of an Authorization header: "Bearer TOKEN", or "Basic ..." with TOKEN as the
 * password of any user. 0; -EINVAL: it is neither, or longer than size, and token is empty.
 */
int token__take(const char *authorization, char *token, size_t size);

#endif
