/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads source files. Their paths come from debug information, which is not trusted. So a file must
 * be a regular one of limited size, and is opened and read by helpers that can be abandoned; root
 * sees only files that all users may read. The directory of --source is searched first, for the
 * whole path and then with ever more of its beginning removed.
 */
#ifndef TOPSTACKS_LINES_SOURCE_TEXT_H
#define TOPSTACKS_LINES_SOURCE_TEXT_H

#include "base/common.h"

struct opener;
struct readers;

struct source_text {
	char *bytes;
	const char **lines; /* in bytes; terminated, without line ends */
	size_t nr_lines;
	int64_t modified_ns; /* CLOCK_REALTIME */
};

struct source_places {
	const char *directory; /* given by the caller; NULL: none */
	struct opener *opener; /* NULL: this process opens files */
	struct readers *readers;
};

/*
 * Reads a file. 0, then call source_text__free(); -ENOENT: not here; -EINVAL: not a regular file;
 * -EACCES: not readable by all users; -EFBIG; -EILSEQ: not text; other negative errno.
 */
int source_text__read(struct source_text *text, const struct source_places *places,
		      const char *path);
void source_text__free(struct source_text *text); /* zeroed is fine */

#endif
