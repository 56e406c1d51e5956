/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of the distribution's packages holds the symbols of a file, and how to come by it. */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_PACKAGES_H
#define TOPSTACKS_SYMBOLS_DEBUG_PACKAGES_H

struct packages;

/* What helps where a file lacks symbols. Strings live as long as packages. */
struct package_advice {
	/* "redis-server-dbgsym"; NULL: nobody knows, or it has no symbols for this file */
	const char *package;

	/* "install redis-server-dbgsym"; NULL: out of memory, or too much was asked */
	const char *text;
};

/* root: "/" of the system whose packages they are, or NULL for this one's. NULL: out of memory. */
struct packages *packages__new(const char *root);
void packages__free(struct packages *packages);

/*
 * What was recorded is not of this system, whose packages know nothing of it; and names were looked for below symfs,
 * so that it is no use to be told to do so (NULL: nowhere). symfs stays valid.
 */
void packages__set_elsewhere(struct packages *packages);
void packages__set_symfs(struct packages *packages, const char *symfs);

/*
 * For the file at a path, whose build ID may be NULL. The first question for a path reads all of the
 * database's lists, 10 to 20 ms.
 */
struct package_advice packages__advise(struct packages *packages, const char *path,
				       const char *build_id);

#endif
