/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From raw samples to interned, named stacks: each distinct stack of a process is named once.
 */
#ifndef TOPSTACKS_COMMANDS_NAMER_H
#define TOPSTACKS_COMMANDS_NAMER_H

#include <stdbool.h>
#include <stdint.h>

#include "topstacks/ledger.h"

struct dictionary;
struct namer;
struct raw_sample;
struct symbols;

enum stack_quality {
	STACK_WHOLE,	  /* ends at a known root */
	STACK_UNVERIFIED, /* ends elsewhere: nobody can know whether frames are missing */
	STACK_TRUNCATED,  /* callers are missing for certain */
};

struct named_stack {
	uint32_t process; /* ids in the dictionary */
	uint32_t stack;
	enum stack_quality quality; /* the worse of both stacks */
	enum cut cut;		    /* why, if it is truncated */
	bool is_idle;		    /* the idle task doing nothing */
	bool is_unmapped;	    /* ended where no code is */
};

/* Both are borrowed and must live longer. NULL: out of memory. */
struct namer *namer__new(struct symbols *symbols, struct dictionary *dictionary,
			 unsigned int max_depth);
void namer__free(struct namer *namer);

/* Ids are of this dictionary from here on. */
void namer__use(struct namer *namer, struct dictionary *dictionary);

/* 0 or -ENOMEM. */
int namer__name(struct namer *namer, const struct raw_sample *raw, struct named_stack *named);

#endif
