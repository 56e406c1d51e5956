// SPDX-License-Identifier: GPL-2.0-only
#include "run/preload/preload.h"

#include <unistd.h>

#define LIBRARY "libtopstacks-alloc.so"

int preload__find(char path[PATH_MAX], struct error *err)
{
	static const char *const places[] = {"/" LIBRARY, "/../lib/topstacks/" LIBRARY};
	char self[PATH_MAX], place[PATH_MAX + sizeof("/../lib/topstacks/" LIBRARY)];
	const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	bool found = false;
	struct quoted quoted;

	if (length > 0) {
		self[length] = '\0';
		*strrchr(self, '/') = '\0';
	}
	for (size_t i = 0; length > 0 && i < sizeof(places) / sizeof(places[0]) && !found; i++) {
		snprintf(place, sizeof(place), "%s%s", self, places[i]);
		found = realpath(place, path);
	}
	if (!found)
		return error__say(err, EXIT_SYSTEM, -ENOENT,
				  LIBRARY
				  " is not there, which samples what a command allocates; install "
				  "topstacks anew, or run make");
	/*
	 * In LD_PRELOAD, a colon or space separates names, and the loader expands words after a
	 * dollar.
	 */
	if (strpbrk(path, ": $"))
		return error__say(err, EXIT_SYSTEM, -EINVAL,
				  "LD_PRELOAD cannot name %s, as there is a space, a colon or a "
				  "dollar in it; "
				  "install topstacks elsewhere",
				  quote(&quoted, path));
	return 0;
}

static bool begins(const char *text, const char *beginning)
{
	return !strncmp(text, beginning, strlen(beginning));
}

char **preload__environment(const char *library, uint64_t mean_bytes, bool alone)
{
	const char *own = getenv("LD_PRELOAD");
	char **environment, **to, *text;
	size_t nr_variables = 4, nr_bytes;

	for (char **from = environ; from && *from; from++)
		nr_variables++;
	nr_bytes = strlen(library) + (own ? strlen(own) : 0) + 128;
	environment = xmalloc(nr_variables * sizeof(*environment) + nr_bytes);
	to = environment;
	/* An outer topstacks may have set the variables that are replaced. */
	for (char **from = environ; from && *from; from++)
		if (!begins(*from, "LD_PRELOAD=") && !begins(*from, "TOPSTACKS_ALLOC_"))
			*to++ = *from;
	text = (char *)(environment + nr_variables);
	*to++ = text;
	text += sprintf(text, "LD_PRELOAD=%s%s%s", own ? own : "", own && *own ? ":" : "",
			library) +
		1;
	*to++ = text;
	text += sprintf(text, "TOPSTACKS_ALLOC_EVERY=%" PRIu64, mean_bytes) + 1;
	if (alone)
		*to++ = strcpy(text, "TOPSTACKS_ALLOC_ALONE=1");
	*to = NULL;
	return environment;
}
