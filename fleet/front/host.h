/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which requests come from a web page of somebody else's. A browser sends them on behalf of its user, from his
 * machine; and a name that its owner points to this machine (DNS rebinding) makes such a page look like ours.
 */
#ifndef TOPSTACKS_FRONT_HOST_H
#define TOPSTACKS_FRONT_HOST_H

#include <stdbool.h>

/*
 * Whether Host is a name that nobody else can have pointed here: localhost, or an address, each with a
 * port or without. With TLS it is any, as the certificate says whose it is.
 */
bool host__is_ours(const char *host, bool has_tls);

/* Whether an Origin, "http://localhost:6060", is that of a Host. */
bool host__is_origin(const char *origin, const char *host);

#endif
