/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of the distribution's packages holds the symbols of a file. */
#ifndef TOPSTACKS_SYMBOLS_PACKAGES_H
#define TOPSTACKS_SYMBOLS_PACKAGES_H

struct packages;

/* database: dpkg's, or NULL for this system's. NULL: out of memory. */
struct packages *packages__new(const char *database);
void packages__free(struct packages *packages);

/*
 * "redis-server-dbgsym" for "/usr/bin/redis-server"; NULL: nobody knows, or too much was asked.
 * Lives as long as packages. The first question for a path reads all of the database's lists, 10 to
 * 20 ms.
 */
const char *packages__debug_symbols(struct packages *packages, const char *path);

#endif
