// SPDX-License-Identifier: GPL-2.0-only
/*
 * dpkg keeps a list of paths for each package, "info/libc6:amd64.list". A path is looked for in all
 * of them, once, and the answer is kept, a "no" as well. Other package managers have databases that
 * take a library each to read; there is no answer then but the build ID.
 *
 * A package is only advised if it can be installed: Debian and Ubuntu have those called -dbgsym in
 * archives of their own, in which a machine does not look unless it is told to. Those that it looks
 * in have lists of packages in apt's directory.
 */
#include "symbols/debug/packages.h"

#include <dirent.h>
#include <unistd.h>

#include "base/files.h"

#define MAX_ANSWERS    64
#define MAX_LIST_BYTES (64U << 20)

#define DATABASE "/var/lib/dpkg/info"
#define ARCHIVES "/var/lib/apt/lists"
#define BY_ID	 "/usr/lib/debug/.build-id"

struct package_answer {
	char *path;
	char *package; /* or NULL */
	char *text;
};

struct packages {
	char *root;	   /* without its last '/' */
	const char *symfs; /* searched without success; NULL: not searched */
	bool is_elsewhere; /* recorded on another system, unknown to the packages here */
	struct package_answer answers[MAX_ANSWERS];
	size_t nr_answers;
};

struct packages *packages__new(const char *root)
{
	struct packages *packages = xcalloc(1, sizeof(*packages));

	packages->root = xstrdup(root ? root : "");
	return packages;
}

void packages__free(struct packages *packages)
{
	if (!packages)
		return;
	for (size_t i = 0; i < packages->nr_answers; i++) {
		free(packages->answers[i].path);
		free(packages->answers[i].package);
		free(packages->answers[i].text);
	}
	free(packages->root);
	free(packages);
}

void packages__set_elsewhere(struct packages *packages)
{
	packages->is_elsewhere = true;
}

void packages__set_symfs(struct packages *packages, const char *symfs)
{
	packages->symfs = symfs;
}

/* ---- directories ---- */

/*
 * Calls matches for each name in a directory of the system until it returns true. Returns the path
 * of that entry; free() it. NULL: there is none.
 */
static char *find_entry(const struct packages *packages, const char *directory,
			bool (*matches)(const char *path, const char *name, const void *wanted),
			const void *wanted)
{
	char *path = xasprintf("%s%s", packages->root, directory), *found = NULL;
	DIR *entries = opendir(path);
	struct dirent *entry;

	while (entries && !found && (entry = readdir(entries))) {
		found = xasprintf("%s/%s", path, entry->d_name);
		if (!matches(found, entry->d_name, wanted)) {
			free(found);
			found = NULL;
		}
	}
	if (entries)
		closedir(entries);
	free(path);
	return found;
}

/* Whether text has a line equal to line. */
static bool has_line(const char *text, const char *line)
{
	const size_t length = strlen(line);

	for (const char *at = text; (at = strstr(at, line)); at += length)
		if ((at == text || at[-1] == '\n') && (at[length] == '\n' || !at[length]))
			return true;
	return false;
}

/* ---- the package of a file ---- */

/* Whether the list has the path, with or without a leading /usr, as / and /usr may be merged. */
static bool lists_path(const char *list, const char *name, const void *wanted)
{
	const size_t length = strlen(name);
	const char *path = wanted;
	char *text;
	bool found;

	if (length < 5 || strcmp(name + length - 5, ".list") != 0 ||
	    files__read(list, MAX_LIST_BYTES, &text, NULL))
		return false;
	found = has_line(text, path) || (!strncmp(path, "/usr/", 5) && has_line(text, path + 4));
	free(text);
	return found;
}

/* ---- is the package installed, or can it be? ---- */

/* Whether the list is of the package: libc6-dbg has "libc6-dbg.list" or "libc6-dbg:amd64.list". */
static bool is_list_of(const char *path, const char *name, const void *wanted)
{
	const size_t length = strlen(wanted);

	(void)path;
	return !strncmp(name, wanted, length) &&
	       (name[length] == ':' || !strcmp(name + length, ".list"));
}

/*
 * Whether the name is that of a debug archive's list, such as
 * deb.debian.org_debian-debug_dists_bookworm-debug_main_binary-amd64_Packages or
 * ddebs.ubuntu.com_…, that may have the package. A compressed list counts, as its contents are not
 * known.
 */
static bool is_archive_of(const char *path, const char *name, const void *wanted)
{
	const char *suffix = strstr(name, "_Packages");
	char line[256], *text;
	bool found;

	if (!suffix || (!strstr(name, "-debug_") && strncmp(name, "ddebs.", 6) != 0))
		return false;
	if (strcmp(suffix, "_Packages") != 0 || files__read(path, MAX_LIST_BYTES, &text, NULL))
		return true;
	snprintf(line, sizeof(line), "Package: %s", (const char *)wanted);
	found = has_line(text, line);
	free(text);
	return found;
}

static bool is_archive(const char *path, const char *name, const void *wanted)
{
	(void)path;
	(void)wanted;
	return strstr(name, "_Packages") &&
	       (strstr(name, "-debug_") || !strncmp(name, "ddebs.", 6));
}

static bool is_found(char *entry)
{
	free(entry);
	return entry != NULL;
}

/* ---- words ---- */

/* The advice without a package: why, and how topstacks can read the debug file by its build ID. */
static char *advise_debug_file(const struct packages *packages, const char *why,
			       const char *build_id)
{
	return xasprintf(packages->symfs
				 ? "%snothing below --symfs names it: put the debug file of build "
				   "ID %s there"
				 : "%sreport --symfs names it by its debug file (build ID %s)",
			 why, build_id);
}

static char *advise_without(const struct packages *packages, const char *build_id)
{
	char *database;
	bool has_database;

	if (!build_id && packages->is_elsewhere)
		return xstrdup(
			"the profile has no build ID of it: link it with -Wl,--build-id, and "
			"record it again");
	if (!build_id)
		return xstrdup("build it without -s, and do not strip it");
	database = xasprintf("%s" DATABASE, packages->root);
	has_database = !access(database, F_OK);
	free(database);
	if (packages->is_elsewhere || packages->symfs || !has_database)
		return advise_debug_file(packages, "", build_id);
	return xasprintf("no package has it: do not strip it, or have report --symfs find its "
			 "debug file (build ID %s)",
			 build_id);
}

/* The advice on a package. *is_of_use: the package may help. */
static char *advise(const struct packages *packages, const char *package, const char *build_id,
		    bool *is_of_use)
{
	const char *id = build_id ? build_id : "not known", *suffix = strrchr(package, '-');
	char path[512];

	*is_of_use = false;
	if (is_found(find_entry(packages, DATABASE, is_list_of, package))) {
		if (build_id && strlen(build_id) >= 3) {
			snprintf(path, sizeof(path), "%s" BY_ID "/%.2s/%s.debug", packages->root,
				 build_id, build_id + 2);
			if (!access(path, F_OK))
				return xasprintf(
					"%s is installed, and did not name these when they "
					"were recorded",
					package);
		}
		return xasprintf("%s is installed, but of another build (build ID %s): install the "
				 "same version of both",
				 package, id);
	}
	*is_of_use = true;
	if (!suffix || strcmp(suffix, "-dbgsym") ||
	    is_found(find_entry(packages, ARCHIVES, is_archive_of, package)))
		return xasprintf("install %s", package);
	if (!is_found(find_entry(packages, ARCHIVES, is_archive, NULL)))
		return xasprintf("install %s, from an archive of debug symbols, which has to be "
				 "added first (docs/symbols.md)",
				 package);
	*is_of_use = false;
	return advise_debug_file(packages, "no archive has its debug symbols: ", id);
}

/* ---- asking ---- */

struct package_advice packages__advise(struct packages *packages, const char *path,
				       const char *build_id)
{
	struct package_answer *answer = packages->answers;
	const struct package_answer *end = answer + packages->nr_answers;
	char *list = NULL, *package = NULL;
	bool is_of_use = false;

	while (answer < end && strcmp(answer->path, path) != 0)
		answer++;
	if (answer < end)
		return (struct package_advice){answer->package, answer->text};
	if (packages->nr_answers == MAX_ANSWERS)
		return (struct package_advice){0};
	packages->nr_answers++;
	answer->path = xstrdup(path);

	if (!packages->is_elsewhere)
		list = find_entry(packages, DATABASE, lists_path, path);
	if (list) {
		/* "…/libssl3:amd64.list": "libssl3-dbgsym". libc6's has an older kind of name. */
		const char *name = strrchr(list, '/') + 1, *colon = strchr(name, ':');
		const size_t length =
			colon ? (size_t)(colon - name) : strlen(name) - strlen(".list");
		const bool is_libc = length == strlen("libc6") && !strncmp(name, "libc6", length);

		package = xasprintf("%.*s-%s", (int)length, name, is_libc ? "dbg" : "dbgsym");
	}
	answer->text = package ? advise(packages, package, build_id, &is_of_use)
			       : advise_without(packages, build_id);
	if (is_of_use)
		answer->package = package;
	else
		free(package);
	free(list);
	return (struct package_advice){answer->package, answer->text};
}
