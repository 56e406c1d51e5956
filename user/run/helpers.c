// SPDX-License-Identifier: GPL-2.0-only
#include "run/helpers.h"

#include "readers/readers.h"

int helpers__start(struct helpers *helpers, struct error *err)
{
	const int code = readers__start(&helpers->readers, jobs__find);

	return code ? error__set(err, EXIT_INTERNAL, code,
				 "cannot start the process that reads files for us")
		    : 0;
}

void helpers__stop(struct helpers *helpers)
{
	readers__stop(helpers->readers);
	*helpers = (struct helpers){0};
}
