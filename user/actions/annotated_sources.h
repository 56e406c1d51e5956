/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The source of an annotated function: the files of its lines, and their text, if it is on this
 * machine.
 */
#ifndef TOPSTACKS_ACTIONS_ANNOTATED_SOURCES_H
#define TOPSTACKS_ACTIONS_ANNOTATED_SOURCES_H

#include "actions/annotated_code.h"

struct source_text;

struct annotated_sources {
	struct source_file *files;
	struct source_text *texts; /* one for each file */
	size_t nr_files;
};

/*
 * Reads the source. built_ns: when the code was built (CLOCK_REALTIME); source changed later does
 * not match it; 0: not known. 0, or -ENOMEM and there is nothing to fini.
 */
int annotated_sources__make(struct annotated_sources *sources, const struct annotation *annotation,
			    const struct annotated_code *code, int64_t built_ns,
			    const struct annotating_tools *tools);
void annotated_sources__fini(struct annotated_sources *sources); /* zeroed is fine */

#endif
