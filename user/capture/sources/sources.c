// SPDX-License-Identifier: GPL-2.0-only

#include <errno.h>
#include <stddef.h>

#include "base/quote.h"
#include "capture/source.h"

const struct source *const sources[] = {
	&cpu_source,
	NULL,
};

const struct source *sources__find(const char *words, struct error *err)
{
	const struct source *const *source;
	struct quoted quoted;

	for (source = sources; *source; source++)
		if (!words || (*source)->parse(words))
			return *source;
	error__say(err, EXIT_USAGE, -ENOENT, "no such event: %s", quote(&quoted, words));
	return NULL;
}
