/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Annotates one function of a recording line by line and instruction by instruction. The function
 * is chosen by name; recording, binaries and source are used as far as they are on this machine.
 */
#ifndef TOPSTACKS_ACTIONS_ANNOTATE_H
#define TOPSTACKS_ACTIONS_ANNOTATE_H

#include "actions/annotated_sources.h"
#include "actions/source_lines.h"

struct annotate_options {
	const char *function; /* NULL: no function is asked for */
	const char *source;   /* source directory; NULL: the paths in debug information */
	bool whole;	      /* all lines and instructions, not only those near samples */
};

struct annotate {
	struct annotation annotation;
	struct annotated_code code;
	struct annotated_sources sources;
	struct strings *strings;
	struct lines *lines;
	struct opener *opener;
	struct annotated_text text; /* made from the members above */
};

/*
 * Annotates the function. total: values of all samples of the recording. 0, or negative errno with
 * err filled: no function, or several functions, have that name. Call annotate__fini() in any case;
 * namer is borrowed until then.
 */
int annotate__make(struct annotate *annotate, const struct recording *recording,
		   const uint64_t total[VALUES], const struct annotate_options *options,
		   const struct namer *namer, struct error *err);
void annotate__fini(struct annotate *annotate); /* zeroed is fine */

#endif
