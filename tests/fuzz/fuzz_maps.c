// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads lines of /proc/PID/maps that mean harm. Lines that come through a pipe, in the pieces that
 * the first byte says, give the same mappings as lines that are read at once.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "processes/maps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

/* A summary of the mappings that were told, as a number. */
struct maps_summary {
	uint64_t nr_mappings, sum;
};

static int add_mapping(void *context, const struct mapping *mapping, bool executable)
{
	struct maps_summary *summary = context;

	require(mapping->start < mapping->end);
	summary->nr_mappings++;
	summary->sum = summary->sum * 31 + mapping->start + mapping->end + mapping->offset +
		       mapping->inode + mapping->major + mapping->minor + executable;
	for (const char *at = mapping->path; *at; at++)
		summary->sum = summary->sum * 31 + (unsigned char)*at;
	return 0;
}

static struct maps_summary read_whole(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("maps", MFD_CLOEXEC);
	struct maps_summary summary = {0};

	require(fd >= 0);
	require(pwrite(fd, data, size, 0) == (ssize_t)size);
	require(maps__each(fd, add_mapping, &summary) == 0);
	close(fd);
	return summary;
}

/* Packets keep their borders, so that one read() gives one piece. */
static struct maps_summary read_pieces(const uint8_t *data, size_t size, size_t piece)
{
	struct maps_summary summary = {0};
	int fds[2];

	require(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds));
	for (size_t at = 0; at < size; at += piece) {
		const size_t left = size - at < piece ? size - at : piece;

		require(send(fds[1], data + at, left, MSG_DONTWAIT) == (ssize_t)left);
	}
	close(fds[1]);
	require(maps__each(fds[0], add_mapping, &summary) == 0);
	close(fds[0]);
	return summary;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct maps_summary whole, pieces;

	if (size < 2 || size > 4096)
		return 0;
	whole = read_whole(data + 1, size - 1);
	pieces = read_pieces(data + 1, size - 1, (size_t)data[0] + 64);
	require(whole.nr_mappings == pieces.nr_mappings && whole.sum == pieces.sum);
	return 0;
}
