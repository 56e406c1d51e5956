/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the distribution's package with the symbols of a file, and how to install it. */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_PACKAGES_H
#define TOPSTACKS_SYMBOLS_DEBUG_PACKAGES_H

struct packages;

/* Advice for a file that lacks symbols. Strings live as long as packages. */
struct package_advice {
	/* "redis-server-dbgsym"; NULL: not known, or it has no symbols for this file */
	const char *package;

	/* "install redis-server-dbgsym"; NULL: too many questions */
	const char *text;
};

/* root: "/" of the system whose packages are meant; NULL: this one. */
struct packages *packages__new(const char *root);
void packages__free(struct packages *packages);

/*
 * packages__set_elsewhere(): the recording is of another system, so this one's packages do not
 * help. packages__set_symfs(): names were looked for below symfs already, so the advice does not
 * suggest it (NULL: not looked for). symfs must stay valid.
 */
void packages__set_elsewhere(struct packages *packages);
void packages__set_symfs(struct packages *packages, const char *symfs);

/*
 * Returns advice on the package with the symbols of the file at a path; build_id may be NULL. Each
 * new path takes 10 to 20 ms, as all lists of the package database are read for it; the answer to a
 * path is kept.
 */
struct package_advice packages__advise(struct packages *packages, const char *path,
				       const char *build_id);

#endif
