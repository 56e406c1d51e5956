/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions of an annotated function, from the files that contain it, if they are on this
 * machine.
 */
#ifndef TOPSTACKS_ACTIONS_ANNOTATED_CODE_H
#define TOPSTACKS_ACTIONS_ANNOTATED_CODE_H

#include "base/strings.h"
#include "profile/code.h"

struct lines;
struct namer;
struct opener;

/* The tools of an annotation, all borrowed. */
struct annotating_tools {
	const struct namer *namer;
	struct opener *opener; /* NULL: this process opens the files */
	struct lines *lines;
	struct strings *strings; /* owns the strings of the result */
	const char *source;	 /* source directory; NULL: none was given */
};

struct annotated_code {
	struct code_file *files;
	size_t nr_files;
	int64_t modified_ns; /* newest of the files, CLOCK_REALTIME; 0: none was read */
};

/* Reads the instructions. 0, or -ENOMEM and there is nothing to fini. */
int annotated_code__make(struct annotated_code *code, const struct annotation *annotation,
			 const struct annotating_tools *tools);
void annotated_code__fini(struct annotated_code *code); /* zeroed is fine */

#endif
