// SPDX-License-Identifier: GPL-2.0-only
/*
 * dpkg keeps a list of paths for each package, "info/libc6:amd64.list". A path is looked for in all
 * of them, once, and the answer is kept, a "no" as well. Other package managers have databases that
 * take a library each to read; there is no answer then.
 */
#include "symbols/packages.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"

#define MAX_ANSWERS    64
#define MAX_LIST_BYTES (64U << 20)

struct package_answer {
	char *path;
	char *package; /* or NULL */
};

struct packages {
	char *database;
	struct package_answer answers[MAX_ANSWERS];
	size_t nr_answers;
};

struct packages *packages__new(const char *database)
{
	struct packages *packages = calloc(1, sizeof(*packages));

	if (packages)
		packages->database = strdup(database ? database : "/var/lib/dpkg/info");
	if (packages && packages->database)
		return packages;
	free(packages);
	return NULL;
}

void packages__free(struct packages *packages)
{
	if (!packages)
		return;
	for (size_t i = 0; i < packages->nr_answers; i++) {
		free(packages->answers[i].path);
		free(packages->answers[i].package);
	}
	free(packages->database);
	free(packages);
}

/* A line that is the path, with or without the /usr that was put before it when / was merged. */
static bool has_line(const char *text, const char *path)
{
	const size_t length = strlen(path);

	for (const char *at = text; (at = strstr(at, path)); at += length)
		if ((at == text || at[-1] == '\n') && (at[length] == '\n' || !at[length]))
			return true;
	return false;
}

static bool lists_path(const char *list, const char *path)
{
	char *text;
	bool found;

	if (files__read(list, MAX_LIST_BYTES, &text, NULL))
		return false;
	found = has_line(text, path) || (!strncmp(path, "/usr/", 5) && has_line(text, path + 4));
	free(text);
	return found;
}

/* "libssl3:amd64.list" -> "libssl3-dbgsym"; libc6's is older than the rule. */
static char *debug_package_of(const char *list)
{
	const char *colon = strchr(list, ':');
	const size_t length = colon ? (size_t)(colon - list) : strlen(list) - strlen(".list");
	const bool is_libc = length == strlen("libc6") && !strncmp(list, "libc6", length);
	char *package;

	if (asprintf(&package, "%.*s-%s", (int)length, list, is_libc ? "dbg" : "dbgsym") < 0)
		return NULL;
	return package;
}

static bool is_list(const char *name)
{
	const size_t length = strlen(name);

	return length > 5 && !strcmp(name + length - 5, ".list");
}

static char *find_package(const struct packages *packages, const char *path)
{
	DIR *directory = opendir(packages->database);
	struct dirent *entry;
	char *package = NULL, *list;

	while (directory && !package && (entry = readdir(directory))) {
		if (!is_list(entry->d_name) ||
		    asprintf(&list, "%s/%s", packages->database, entry->d_name) < 0)
			continue;
		if (lists_path(list, path))
			package = debug_package_of(entry->d_name);
		free(list);
	}
	if (directory)
		closedir(directory);
	return package;
}

const char *packages__debug_symbols(struct packages *packages, const char *path)
{
	struct package_answer *answer;

	for (size_t i = 0; i < packages->nr_answers; i++)
		if (!strcmp(packages->answers[i].path, path))
			return packages->answers[i].package;
	if (packages->nr_answers == MAX_ANSWERS)
		return NULL;
	answer = &packages->answers[packages->nr_answers];
	answer->path = strdup(path);
	if (!answer->path)
		return NULL;
	answer->package = find_package(packages, path);
	packages->nr_answers++;
	return answer->package;
}
