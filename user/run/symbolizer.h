/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns raw samples into interned, named stacks. Each distinct stack of a process is named once. */
#ifndef TOPSTACKS_RUN_SYMBOLIZER_H
#define TOPSTACKS_RUN_SYMBOLIZER_H

#include "base/common.h"
#include "profile/ledger.h"

struct dictionary;
struct late_window;
struct symbolizer;
struct raw_sample;
struct symbols;

enum stack_quality {
	STACK_WHOLE,	  /* ends at a known root */
	STACK_UNVERIFIED, /* ends elsewhere: frames may be missing */
	STACK_EARLY,	  /* as STACK_UNVERIFIED, but walked before unwind tables were loaded */
	STACK_TRUNCATED,  /* callers are certainly missing */
};

struct symbolized_stack {
	uint32_t process; /* ids in the dictionary */
	uint32_t stack;
	enum stack_quality quality; /* the worse of its user and kernel stacks */
	enum cut cut;		    /* reason if it is truncated */
	bool is_idle;		    /* the idle task doing nothing */
	bool is_unmapped;	    /* ended at an address outside all mappings */
	int unread;		    /* why names are missing, a code of symbols__resolve(); 0:
				     * all known */
};

/* Returns a symbolizer. symbols and dictionary are borrowed and must live longer. */
struct symbolizer *symbolizer__new(struct symbols *symbols, struct dictionary *dictionary,
				   unsigned int max_depth);
void symbolizer__free(struct symbolizer *symbolizer);

/* From now on, ids are of this dictionary. */
void symbolizer__use(struct symbolizer *symbolizer, struct dictionary *dictionary);

/* Sets the time in which the samples that follow were taken. */
void symbolizer__set_window(struct symbolizer *symbolizer, const struct late_window *window);

/* Names the stacks of a raw sample. */
void symbolizer__name(struct symbolizer *symbolizer, const struct raw_sample *raw,
		      struct symbolized_stack *named);

#endif
