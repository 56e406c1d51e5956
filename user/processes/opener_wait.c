// SPDX-License-Identifier: GPL-2.0-only
/* An opener for those who have nothing else to do until they have the file; or none at all. */
#include "processes/opener.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hurry.h"
#include "base/rights.h"
#include "processes/open_file.h"
#include "processes/opener_messages.h"
#include "processes/roots.h"

/* What an earlier call did not wait for comes first. False: there is no answer yet. */
static bool take_answer(struct opener *opener, uint64_t ticket, uint64_t until_ns, int *fd)
{
	struct opened opened;

	while (opener__take(opener, until_ns, &opened)) {
		if (opened.ticket == ticket) {
			*fd = opened.fd;
			return true;
		}
		if (opened.fd >= 0)
			close(opened.fd);
	}
	return false;
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
	} else if (opening->kind == OPENING_MAPS) {
		fd = open_file__maps(by->pid, by->start_ticks);
	} else {
		fd = open_file__below(opening->root, opening->path, opening->kind == OPENING_BELOW);
	}
	rights__restore(before);
	return fd;
}

static int ask(struct opener *opener, const struct opening *opening, struct hurry *hurry)
{
	uint64_t ticket, wait_ns, now_ns;
	bool is_answered = false;
	int fd;

	take_answer(opener, 0, 0, &fd);
	fd = opener__ask(opener, opening, &ticket);
	if (fd)
		return fd;
	while (!is_answered && (wait_ns = hurry__wait_ns(hurry))) {
		now_ns = monotonic_ns();
		is_answered = take_answer(opener, ticket, now_ns + wait_ns, &fd);
		hurry__spend(hurry, monotonic_ns() - now_ns);
	}
	return is_answered ? fd : -EAGAIN;
}

static void note_maps(struct opener *opener, int32_t pid, int code)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	opener__note(opener, path, code);
}

int opener__open(struct opener *opener, const struct opening *opening, struct hurry *hurry)
{
	const int fd = opener ? ask(opener, opening, hurry) : open_here(opening);

	if (opener && opening->kind == OPENING_MAPS)
		note_maps(opener, opening->by->pid, fd);
	else if (opener)
		opener__note(opener,
			     opening->kind == OPENING_MAPPED ? opening->mapping->path
							     : opening->path,
			     fd);
	return fd;
}
