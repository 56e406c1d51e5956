// SPDX-License-Identifier: GPL-2.0-only
/* Asks an opener and waits for the file; without an opener, opens it directly. */
#include "processes/opener.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/system/rights.h"
#include "base/time_budget.h"
#include "processes/open_file.h"
#include "processes/opener_messages.h"
#include "processes/roots.h"

/*
 * Takes the answer to a question, after those that earlier calls did not wait for. False: there is
 * no answer yet.
 */
static bool take_answer(struct opener *opener, uint64_t ticket, uint64_t until_ns,
			struct opened *answer)
{
	while (opener__take(opener, until_ns, answer)) {
		if (answer->ticket == ticket)
			return true;
		if (answer->fd >= 0)
			close(answer->fd);
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
	} else if (opening->kind == OPENING_PROCESS) {
		fd = open_file__of_process(by, opening->path, opening->living);
	} else {
		fd = open_file__below(opening->root, opening->path, opening->kind == OPENING_BELOW);
	}
	rights__restore(before);
	return fd;
}

static int ask(struct opener *opener, const struct opening *opening, struct hurry *hurry)
{
	uint64_t ticket, wait_ns, now_ns;
	struct opened answer;
	bool is_answered = false;
	int code;

	take_answer(opener, 0, 0, &answer);
	code = opener__ask(opener, opening, &ticket);
	if (code)
		return code;
	while (!is_answered && (wait_ns = hurry__wait_ns(hurry))) {
		now_ns = monotonic_ns();
		is_answered = take_answer(opener, ticket, now_ns + wait_ns, &answer);
		hurry__spend(hurry, monotonic_ns() - now_ns);
	}
	if (!is_answered && opening->kind == OPENING_PROCESS)
		opener__drop(opener);
	if (is_answered && opening->living)
		*opening->living = answer.living;
	return is_answered ? answer.fd : -EAGAIN;
}

/* Notes a process: one notice for all of its entries. */
static void note_process(struct opener *opener, const struct opening *opening, int code)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", opening->by->pid);
	opener__note(opener, path, code);
}

int opener__open(struct opener *opener, const struct opening *opening, struct hurry *hurry)
{
	int fd;

	if (opening->living)
		*opening->living = (struct living){0};
	fd = opener ? ask(opener, opening, hurry) : open_here(opening);
	if (opener && opening->kind == OPENING_PROCESS)
		note_process(opener, opening, fd);
	else if (opener)
		opener__note(opener,
			     opening->kind == OPENING_MAPPED ? opening->mapping->path
							     : opening->path,
			     fd);
	return fd;
}

int opener__open_root(struct opener *opener, const struct mapped_by *by, struct hurry *hurry)
{
	const struct opening opening = {.kind = OPENING_PROCESS, .by = by, .path = "root"};
	const int root = opener__open(opener, &opening, hurry);

	return root < 0 && by->root ? fcntl(root__fd(by->root), F_DUPFD_CLOEXEC, 0) : root;
}
