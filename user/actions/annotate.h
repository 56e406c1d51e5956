/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One function of a recording, line by line and instruction by instruction: chosen by name, and put
 * together from the recording, the binaries and the source, as far as they are here.
 */
#ifndef TOPSTACKS_ACTIONS_ANNOTATE_H
#define TOPSTACKS_ACTIONS_ANNOTATE_H

#include "actions/annotated_sources.h"
#include "actions/source_lines.h"

struct annotate_options {
	const char *function; /* NULL: none is asked for */
	const char *source; /* directory that has the source; NULL: where debug information says */
	bool whole;	    /* all lines and instructions, not only those near samples */
};

struct annotate {
	struct annotation annotation;
	struct annotated_code code;
	struct annotated_sources sources;
	struct strings *strings;
	struct lines *lines;
	struct opener *opener;
	struct annotated_text text; /* of the others */
};

/*
 * total: of all samples of the recording. 0, or negative errno with err filled: no function is called
 * so, or several are. annotate__fini() is to be called in any case; namer is borrowed until then.
 */
int annotate__make(struct annotate *annotate, const struct recording *recording,
		   const uint64_t total[VALUES], const struct annotate_options *options,
		   const struct namer *namer, struct error *err);
void annotate__fini(struct annotate *annotate); /* zeroed is fine */

#endif
