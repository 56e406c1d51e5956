/* SPDX-License-Identifier: GPL-2.0-only */
/* The code of a function that is annotated: from the files that it is in, if they are here. */
#ifndef TOPSTACKS_ACTIONS_ANNOTATED_CODE_H
#define TOPSTACKS_ACTIONS_ANNOTATED_CODE_H

#include "base/strings.h"
#include "profile/code.h"

struct lines;
struct namer;
struct opener;

/* What it is made with, all borrowed. */
struct annotating_tools {
	const struct namer *namer;
	struct opener *opener; /* NULL: files are opened here */
	struct lines *lines;
	struct strings *strings; /* of what is made */
	const char *source;	 /* directory of the source; NULL: none was named */
};

struct annotated_code {
	struct code_file *files;
	size_t nr_files;
	int64_t modified_ns; /* the latest of the files; 0: none was read; CLOCK_REALTIME */
};

/* 0, or -ENOMEM and there is nothing to fini. */
int annotated_code__make(struct annotated_code *code, const struct annotation *annotation,
			 const struct annotating_tools *tools);
void annotated_code__fini(struct annotated_code *code); /* zeroed is fine */

#endif
