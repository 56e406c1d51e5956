/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recognizes requests that come from another site's web page. A browser sends them on behalf of its
 * user, from the user's machine; and a name that its owner points to this machine (DNS rebinding)
 * makes such a page look like ours.
 */
#ifndef TOPSTACKS_FRONT_HOST_H
#define TOPSTACKS_FRONT_HOST_H

#include <stdbool.h>

/*
 * Whether Host is a name that other people cannot point here: localhost, or an address, each with
 * or without a port. With TLS any name is fine, as the certificate proves it.
 */
bool host__is_ours(const char *host, bool has_tls);

/* Whether an Origin such as "http://localhost:6060" has this Host. */
bool host__is_origin(const char *origin, const char *host);

#endif
