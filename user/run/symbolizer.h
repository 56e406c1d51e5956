/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From raw samples to interned, named stacks: each distinct stack of a process is named once.
 */
#ifndef TOPSTACKS_RUN_SYMBOLIZER_H
#define TOPSTACKS_RUN_SYMBOLIZER_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/ledger.h"

struct dictionary;
struct late_window;
struct symbolizer;
struct raw_sample;
struct symbols;

enum stack_quality {
	STACK_WHOLE,	  /* ends at a known root */
	STACK_UNVERIFIED, /* ends elsewhere: nobody can know whether frames are missing */
	STACK_EARLY,	  /* likewise, walked before unwind tables were loaded */
	STACK_TRUNCATED,  /* callers are missing for certain */
};

struct symbolized_stack {
	uint32_t process; /* ids in the dictionary */
	uint32_t stack;
	enum stack_quality quality; /* the worse of both stacks */
	enum cut cut;		    /* why, if it is truncated */
	bool is_idle;		    /* the idle task doing nothing */
	bool is_unmapped;	    /* ended where no code is */
	int unread;		    /* why names are missing, as symbols__resolve(); 0: none is */
};

/* Both are borrowed and must live longer. NULL: out of memory. */
struct symbolizer *symbolizer__new(struct symbols *symbols, struct dictionary *dictionary,
				   unsigned int max_depth);
void symbolizer__free(struct symbolizer *symbolizer);

/* Ids are of this dictionary from here on. */
void symbolizer__use(struct symbolizer *symbolizer, struct dictionary *dictionary);

/* When the samples that follow were taken. */
void symbolizer__set_window(struct symbolizer *symbolizer, const struct late_window *window);

/* 0 or -ENOMEM. */
int symbolizer__name(struct symbolizer *symbolizer, const struct raw_sample *raw,
		     struct symbolized_stack *named);

#endif
