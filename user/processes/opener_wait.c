// SPDX-License-Identifier: GPL-2.0-only
/* An opener for those who have nothing else to do until they have the file; or none at all. */
#include "processes/opener.h"

#include <errno.h>
#include <unistd.h>

#include "base/rights.h"
#include "processes/open_file.h"
#include "processes/roots.h"

/* What an earlier call did not wait for comes first. */
static int take_answer(struct opener *opener, uint64_t ticket, uint64_t until_ns)
{
	struct opened opened;

	while (opener__take(opener, until_ns, &opened)) {
		if (opened.ticket == ticket)
			return opened.fd;
		if (opened.fd >= 0)
			close(opened.fd);
	}
	return -EAGAIN;
}

static int open_here(const struct opening *opening)
{
	const struct mapped_by *by = opening->by;
	int roots[MAX_ROOTS + 1], fd;
	struct search_roots where = {.roots = roots};
	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);

	if (opening->kind == OPENING_MAPPED) {
		where.nr_roots = roots__list(by->roots, by->root, roots);
		where.has_own = by->root != NULL;
		fd = open_file__mapped(opening->mapping, by, &where);
	} else {
		fd = open_file__below(opening->root, opening->path, opening->kind == OPENING_BELOW);
	}
	rights__restore(before);
	return fd;
}

int opener__open(struct opener *opener, const struct opening *opening, uint64_t until_ns)
{
	uint64_t ticket;
	int code;

	if (!opener)
		return open_here(opening);
	take_answer(opener, 0, 0);
	code = opener__ask(opener, opening, &ticket);
	return code ? code : take_answer(opener, ticket, until_ns);
}
