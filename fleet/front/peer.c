// SPDX-License-Identifier: GPL-2.0-only
#include "front/peer.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* All of 127.0.0.0/8 is one peer: local programs may choose any of its addresses. */
static void store_ipv4(struct in6_addr *address, struct in_addr ipv4)
{
	if (ntohl(ipv4.s_addr) >> 24 == 127)
		ipv4.s_addr = htonl(INADDR_LOOPBACK);
	memcpy(address->s6_addr + 12, &ipv4, sizeof(ipv4));
}

static void store_ipv6(struct in6_addr *address, const struct in6_addr *ipv6)
{
	struct in_addr ipv4;

	*address = *ipv6;
	if (!IN6_IS_ADDR_V4MAPPED(ipv6))
		return;
	memcpy(&ipv4, ipv6->s6_addr + 12, sizeof(ipv4));
	*address = (struct in6_addr){0};
	store_ipv4(address, ipv4);
}

static int find_address(struct peer *peer, int socket)
{
	union {
		struct sockaddr any;
		struct sockaddr_in ipv4;
		struct sockaddr_in6 ipv6;
		struct sockaddr_storage room;
	} name = {0};
	socklen_t size = sizeof(name);

	if (getpeername(socket, &name.any, &size))
		return -errno;
	if (name.any.sa_family == AF_INET)
		store_ipv4(&peer->address, name.ipv4.sin_addr);
	else if (name.any.sa_family == AF_INET6)
		store_ipv6(&peer->address, &name.ipv6.sin6_addr);
	else
		return -EAFNOSUPPORT;
	return 0;
}

int peer__find(struct peer *peer, int socket, enum serve_listener listener)
{
	struct ucred credentials;
	socklen_t size = sizeof(credentials);

	*peer = (struct peer){.uid = SERVE_NO_UID};
	if (listener != SERVE_UNIX)
		return find_address(peer, socket);
	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size))
		return -errno;
	/* The overflow uid would be taken for "not known". */
	if (credentials.uid == SERVE_NO_UID)
		return -EPERM;
	peer->uid = credentials.uid;
	return 0;
}

bool peer__is_same(const struct peer *one, const struct peer *other)
{
	return one->uid == other->uid &&
	       !memcmp(&one->address, &other->address, sizeof(one->address));
}
