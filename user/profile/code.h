/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code and the source of one function, with what was counted there: what an annotation is shown
 * with. Strings belong to whoever made it, and are hostile until escaped for an output.
 */
#ifndef TOPSTACKS_PROFILE_CODE_H
#define TOPSTACKS_PROFILE_CODE_H

#include "profile/annotation.h"

/* One instruction. */
struct code_row {
	uint64_t address;
	uint64_t target;	 /* of a jump or a call; 0: not known before it runs */
	const char *text;	 /* "call 0x1040" */
	const char *target_name; /* the function that the target is in; NULL: it has no name */
	uint64_t target_offset;	 /* into that */
	const char *file;	 /* of the source: the function's own line; NULL: not known */
	uint32_t line;
	uint32_t size; /* bytes */
	bool is_jump;
	bool enters_kernel;
	bool is_led_to; /* by a jump of the same block */
	struct annotated_values values;
};

/* A function of a file, whole; or a part of one, as compilers put what is rarely run elsewhere. */
struct code_block {
	const char *name;    /* NULL: it has none */
	uint64_t start, end; /* addresses in the file */
	struct code_row *rows;
	size_t nr_rows;
	struct annotated_values values;
};

/* What is in one file. */
struct code_file {
	const char *path, *build_id; /* NULL: not known */
	struct code_block *blocks;   /* by address */
	size_t nr_blocks;
	struct annotated_values unplaced; /* at addresses that are in no block */
	char note[320];			  /* why there are none, in a sentence; "": there are */
};

/* A file of the source. */
struct source_file {
	const char *name;	  /* as debug information has it */
	const char *const *lines; /* the first one first; NULL: the text is not to be had */
	size_t nr_lines;	  /* that it has */
	uint32_t first, last;	  /* lines that the function has, as far as it is known */
	char note[320];		  /* what is to be said of it, in a sentence; "": nothing */
};

/* All of it. */
struct annotated_text {
	const struct annotation *annotation;
	uint64_t total[VALUES];		   /* of all samples */
	const struct source_file *sources; /* in the order of the annotation's lines */
	size_t nr_sources;
	const struct code_file *files;
	size_t nr_files;
	const char *note; /* why there is no code at all, in a sentence; NULL: there may be */
};

#endif
