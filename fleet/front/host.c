// SPDX-License-Identifier: GPL-2.0-only
#include "front/host.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#define MAX_NAME 253 /* limit of DNS (RFC 1035) */

/* ":6060", or nothing. */
static bool is_port(const char *text)
{
	if (!*text)
		return true;
	return text[0] == ':' && text[1] && strlen(text) <= 6 &&
	       !text[1 + strspn(text + 1, "0123456789")];
}

static bool is_address(int family, const char *text, size_t length)
{
	char copy[INET6_ADDRSTRLEN];
	struct in6_addr address;

	if (length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return inet_pton(family, copy, &address) == 1;
}

static bool is_name(const char *text, size_t length)
{
	return length && length <= MAX_NAME &&
	       strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_") ==
		       length;
}

bool host__is_ours(const char *host, bool has_tls)
{
	const char *bracket = *host == '[' ? strchr(host, ']') : NULL;
	const size_t length = strcspn(host, ":");

	if (bracket)
		return is_address(AF_INET6, host + 1, (size_t)(bracket - host - 1)) &&
		       is_port(bracket + 1);
	if (!is_port(host + length))
		return false;
	return (length == strlen("localhost") && !strncasecmp(host, "localhost", length)) ||
	       is_address(AF_INET, host, length) || (has_tls && is_name(host, length));
}

bool host__is_origin(const char *origin, const char *host)
{
	const char *at = strstr(origin, "://");

	return at && !strcasecmp(at + strlen("://"), host);
}
