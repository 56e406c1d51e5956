// SPDX-License-Identifier: GPL-2.0-only
#include "run/rotation.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/quote.h"

#define PREFIX "topstacks-"
#define SUFFIX ".pb.gz"
#define SHAPE  "00000000T000000.000Z" /* 0: a digit */

char *rotation__path(const char *directory, int64_t start_realtime_ns)
{
	int64_t ms = start_realtime_ns / 1000000;
	time_t seconds = (time_t)(ms / 1000);
	char time[64] = "";
	struct tm tm;
	char *path;

	if (gmtime_r(&seconds, &tm))
		strftime(time, sizeof(time), "%Y%m%dT%H%M%S", &tm);
	if (asprintf(&path, "%s/" PREFIX "%s.%03dZ" SUFFIX, directory, time, (int)(ms % 1000)) < 0)
		return NULL;
	return path;
}

/* Whether a file has one of our names; *rest is what follows the suffix. */
static bool is_ours(const char *name, const char **rest)
{
	if (strncmp(name, PREFIX, strlen(PREFIX)))
		return false;
	name += strlen(PREFIX);
	for (const char *shape = SHAPE; *shape; shape++, name++)
		if (*shape == '0' ? !isdigit((unsigned char)*name) : *name != *shape)
			return false;
	if (strncmp(name, SUFFIX, strlen(SUFFIX)))
		return false;
	*rest = name + strlen(SUFFIX);
	return true;
}

static int is_finished(const struct dirent *entry)
{
	const char *rest;

	return is_ours(entry->d_name, &rest) && !*rest;
}

static int is_unfinished(const struct dirent *entry)
{
	const char *rest;

	return is_ours(entry->d_name, &rest) &&
	       !strncmp(rest, DESTINATION_SUFFIX, strlen(DESTINATION_SUFFIX)) &&
	       strlen(rest) == strlen(DESTINATION_SUFFIX "XXXXXX");
}

static int explain(int code, const char *directory, struct error *err)
{
	struct quoted quoted;

	return error__set(err, EXIT_INTERNAL, code, "cannot use the directory %s",
			  quote(&quoted, directory));
}

/* Removes all that match but the last nr_kept, in the order of names, which is that of time. */
static int remove_all_but(const char *directory, int (*matches)(const struct dirent *),
			  size_t nr_kept)
{
	struct dirent **entries;
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int nr = fd < 0 ? -1 : scandirat(fd, ".", &entries, matches, alphasort);
	int code = nr < 0 ? -errno : 0;

	for (int i = 0; i < nr; i++) {
		if ((size_t)(nr - i) > nr_kept && unlinkat(fd, entries[i]->d_name, 0) &&
		    errno != ENOENT)
			code = -errno;
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	if (fd >= 0)
		close(fd);
	return code;
}

int rotation__prepare(const char *directory, struct error *err)
{
	int code = mkdir(directory, 0777) && errno != EEXIST ? -errno : 0;

	if (!code)
		code = remove_all_but(directory, is_unfinished, 0);
	return code ? explain(code, directory, err) : 0;
}

int rotation__remove_old(const char *directory, unsigned int nr_kept, struct error *err)
{
	int code = remove_all_but(directory, is_finished, nr_kept);

	return code ? explain(code, directory, err) : 0;
}
