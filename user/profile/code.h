/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code and the source of one function with the samples at each place: the input of every output
 * of an annotation. Strings belong to the maker of the text, and are hostile until escaped for an
 * output.
 */
#ifndef TOPSTACKS_PROFILE_CODE_H
#define TOPSTACKS_PROFILE_CODE_H

#include "profile/annotation.h"

/* One instruction. */
struct code_row {
	uint64_t address;
	uint64_t target;	 /* of a jump or a call; 0: known only at run time */
	const char *text;	 /* "call 0x1040" */
	const char *target_name; /* function that has the target; NULL: no name */
	uint64_t target_offset;	 /* of the target in that function */
	const char *file;	 /* source of the function's own line; NULL: not known */
	uint32_t line;
	uint32_t size; /* bytes */
	bool is_jump;
	bool enters_kernel;
	bool is_led_to; /* a jump of the same block leads here */
	struct annotated_values values;
};

/* A whole function of a file, or a part of one: compilers put rarely run code elsewhere. */
struct code_block {
	const char *name;    /* NULL: it has none */
	uint64_t start, end; /* addresses in the file */
	struct code_row *rows;
	size_t nr_rows;
	struct annotated_values values;
};

/* The blocks of one file. */
struct code_file {
	const char *path, *build_id; /* NULL: not known */
	struct code_block *blocks;   /* by address */
	size_t nr_blocks;
	struct annotated_values unplaced; /* at addresses that are in no block */
	char note[320]; /* why there are no blocks, a sentence; "": there are some */
};

/* A file of the source. */
struct source_file {
	const char *name;	  /* as debug information writes it */
	const char *const *lines; /* first line first; NULL: the text is not available */
	size_t nr_lines;	  /* length of the file in lines */
	uint32_t first, last;	  /* lines of the function, as far as known */
	char note[320];		  /* a remark for the user, a sentence; "": none */
};

/* The whole text of an annotation. */
struct annotated_text {
	const struct annotation *annotation;
	uint64_t total[VALUES];		   /* of all samples */
	const struct source_file *sources; /* in the order of the annotation's lines */
	size_t nr_sources;
	const struct code_file *files;
	size_t nr_files;
	const char *note; /* why there is no code at all, a sentence; NULL: there may be some */
};

#endif
