// SPDX-License-Identifier: GPL-2.0-only
#include "capture/unwinding/failures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/shortage.h"
#include "readers/reasons.h"

void unwind_failures__fini(struct unwind_failures *failures)
{
	while (failures->nr)
		free(failures->of[--failures->nr].path);
}

/* Most say that there is no table, or that others tell of it, as who looks for names does of -ECHILD. */
static bool is_failure(int code)
{
	if (code == -ECHILD)
		return false;
	return code == -ETIME || code == -ETIMEDOUT || code == -ENOMEM || code == -EAGAIN ||
	       code == -EPIPE || code == -EIO || shortage__is(code);
}

/* A lack is no file's own, and is told of with the first one. */
static bool is_known(const struct unwind_failures *failures, const char *path, int code)
{
	for (size_t i = 0; i < failures->nr; i++)
		if (!strcmp(failures->of[i].path, path) ||
		    (shortage__is(code) && failures->of[i].code == code))
			return true;
	return false;
}

void unwind_failures__note(struct unwind_failures *failures, const char *path, int code)
{
	char *copy;

	if (!is_failure(code) || failures->nr == UNWIND_MAX_FAILURES ||
	    is_known(failures, path, code))
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
	char reason[128] = "";

	if (failures->nr_taken == failures->nr)
		return false;
	reason__text(failures->of[failures->nr_taken].code, READ_UNWIND, reason, sizeof(reason));
	snprintf(text, size, "%s: %s", quote(&quoted, failures->of[failures->nr_taken].path),
		 reason);
	failures->nr_taken++;
	return true;
}
