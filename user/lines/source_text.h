/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of a file of the source. Where it lies says the debug information of a program, which
 * anybody may have made: so it is a regular file of bounded size, which is opened and read by somebody
 * who can be left behind; and who is root sees only what everybody may read. A directory that the caller
 * names (--source) is looked in first, for the whole path and then for less and less of its beginning.
 */
#ifndef TOPSTACKS_LINES_SOURCE_TEXT_H
#define TOPSTACKS_LINES_SOURCE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct opener;
struct readers;

struct source_text {
	char *bytes;
	const char **lines; /* in bytes, terminated, without their ends */
	size_t nr_lines;
	int64_t modified_ns; /* CLOCK_REALTIME */
};

struct source_places {
	const char *directory; /* that the caller names; NULL: none */
	struct opener *opener; /* NULL: files are opened here */
	struct readers *readers;
};

/*
 * 0, and source_text__free() is to be called; -ENOENT: it is not here; -EINVAL: it is no regular file;
 * -EACCES: not everybody may read it; -EFBIG; -EILSEQ: it is no text; other negative errno.
 */
int source_text__read(struct source_text *text, const struct source_places *places,
		      const char *path);
void source_text__free(struct source_text *text); /* zeroed is fine */

#endif
