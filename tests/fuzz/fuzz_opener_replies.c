// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes replies of an opener that an attacker has taken over. Each question has one answer, in
 * order: a file or a reason. Other files that came do not stay open. Byte 0 says whether the opener
 * is gone after that.
 */
#include <fcntl.h>

#include "fake_workers.h"
#include "processes/opener.h"

#define MAX_ASKED 4

static void take_all(struct opener *opener, uint64_t nr_asked)
{
	uint64_t nr_answered = 0;
	struct opened opened;

	while (opener__take(opener, 0, &opened)) {
		require(opened.ticket == ++nr_answered && nr_answered <= nr_asked);
		require(opened.fd < 0 || fcntl(opened.fd, F_GETFD) == FD_CLOEXEC);
		if (opened.fd >= 0)
			close(opened.fd);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int lowest = lowest_descriptor();
	const struct opening opening = {.kind = OPENING_BELOW, .root = 0, .path = "/file"};
	struct opener *opener = opener__new(NULL);
	uint64_t nr_asked = 0, ticket;

	require(opener != NULL);
	script = (struct script){0};
	if (size)
		script = (struct script){.next = data + 1,
					 .left = size - 1,
					 .is_gone = data[0] & 1,
					 .has_ended = data[0] & 1};
	while (nr_asked < MAX_ASKED && !opener__ask(opener, &opening, &ticket))
		require(ticket == ++nr_asked);
	take_all(opener, nr_asked);
	opener__free(opener);
	require(lowest_descriptor() == lowest);
	return 0;
}
