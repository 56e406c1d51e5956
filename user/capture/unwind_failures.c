// SPDX-License-Identifier: GPL-2.0-only
#include "capture/unwind_failures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"

/* NULL: it is no failure. */
static const char *reason(int code)
{
	switch (code) {
	case -ETIME:
		return "took more than 5 s";
	case -ETIMEDOUT:
		return "opening took more than 2 s";
	case -ENOMEM:
		return "took more than 512 MB";
	case -EAGAIN:
		return "too many files are read already";
	case -EPIPE:
		return "no process could be had to read it";
	case -EIO:
		return "damaged";
	default:
		return NULL;
	}
}

void unwind_failures__fini(struct unwind_failures *failures)
{
	while (failures->nr)
		free(failures->of[--failures->nr].path);
}

static bool is_known(const struct unwind_failures *failures, const char *path)
{
	for (size_t i = 0; i < failures->nr; i++)
		if (!strcmp(failures->of[i].path, path))
			return true;
	return false;
}

void unwind_failures__note(struct unwind_failures *failures, const char *path, int code)
{
	char *copy;

	if (!reason(code) || failures->nr == UNWIND_MAX_FAILURES || is_known(failures, path))
		return;
	copy = strdup(path);
	if (!copy)
		return;
	failures->of[failures->nr].path = copy;
	failures->of[failures->nr++].code = code;
}

bool unwind_failures__take(struct unwind_failures *failures, char *text, size_t size)
{
	struct quoted quoted;

	if (failures->nr_taken == failures->nr)
		return false;
	snprintf(text, size, "%s: %s", quote(&quoted, failures->of[failures->nr_taken].path),
		 reason(failures->of[failures->nr_taken].code));
	failures->nr_taken++;
	return true;
}
