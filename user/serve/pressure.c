// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first line of /proc/pressure/memory, or of memory.pressure of a cgroup:
 *
 *	some avg10=0.22 avg60=0.17 avg300=1.11 total=58761459
 *
 * Averages fade and lag; the total is exact for whatever time lies between two looks.
 */
#include "serve/pressure.h"

#include <ctype.h>

#include "base/files.h"

#define MAX_BYTES 4096

static int parse_total(const char *text, uint64_t *total_us)
{
	const char *end = strchr(text, '\n');
	const char *total = strstr(text, " total=");
	char *rest;

	if (strncmp(text, "some ", 5) != 0 || !end || !total || total > end)
		return -EPROTO;
	total += strlen(" total=");
	if (!isdigit((unsigned char)*total))
		return -EPROTO;
	errno = 0;
	*total_us = strtoull(total, &rest, 10);
	return errno || rest != end ? -EPROTO : 0;
}

int pressure__read(void *context, enum rule_measure measure, const char *cgroup, uint64_t *total_us)
{
	const char *root = context, *name = rule_measure__name(measure) + strlen("pressure.");
	char *path = *cgroup ? xasprintf("%s/%s/%s.pressure", root, cgroup, name)
			     : xasprintf("/proc/pressure/%s", name);
	char *text = NULL;
	int code = files__read(path, MAX_BYTES, &text, NULL);

	if (!code)
		code = parse_total(text, total_us);
	free(text);
	free(path);
	return code;
}
