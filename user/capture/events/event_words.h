/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One event as the user says it, taken apart:
 *
 *	NAME[:MODS]               page-faults:u
 *	NAME/TERM,…/[MODS]        cycles/period=1000003/u, cpu_core/event=0x3c,umask=1/
 *	SYS:NAME[/TERM,…/]        block:block_rq_issue/weight=bytes,unit=bytes/, syscalls:sys_exit_read/ret<0/
 *	rHEX                      r01c2
 *	uprobe:FILE:SYMBOL[/TERM,…/], and likewise uretprobe, usdt, kprobe: what is before the terms is the name
 *
 * MODS are letters u and k. A TERM is KEY, KEY=VALUE, or KEY OP NUMBER with OP one of == != < <= > >= &.
 * Words only: whether there is such an event, and which terms it takes, is for the sources to say.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_EVENT_WORDS_H
#define TOPSTACKS_CAPTURE_EVENTS_EVENT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define EVENT_MAX_BYTES 4096 /* of an item */
#define EVENT_MAX_TERMS 16

enum event_op {
	EVENT_OP_NONE, /* the key alone */
	EVENT_OP_SET,  /* "=" */
	EVENT_OP_EQUAL,
	EVENT_OP_NOT_EQUAL,
	EVENT_OP_LESS,
	EVENT_OP_LESS_EQUAL,
	EVENT_OP_GREATER,
	EVENT_OP_GREATER_EQUAL,
	EVENT_OP_BITS, /* "&" */
};

struct event_term {
	const char *key; /* not empty */
	enum event_op op;
	const char *text; /* of the value, not empty; NULL: there is none */
	bool is_number;	  /* so are all that are compared with; "0x3c", "12" and "-1" are */
	bool is_negative;
	uint64_t number; /* of a negative one the two's complement */
};

/* Strings are the words' own. */
struct event_words {
	char *said;	  /* the whole item */
	const char *name; /* "page-faults", "cpu_core", "sched:sched_switch", "r01c2"; not empty */
	bool in_user;	  /* counts what happens in user mode: all unless :k, or :u as well */
	bool in_kernel;	  /* likewise */
	uint64_t freq_hz; /* 0: not said; never with a period */
	uint64_t period;  /* 0: not said; at most INT64_MAX */
	const char *weight; /* a field; NULL: not said */
	const char *unit;   /* "bytes", "nanoseconds" (for ns), another noun; NULL: not said */
	size_t nr_terms;    /* none of the four is among them: 0, and the name is an event's own */
	struct event_term terms[EVENT_MAX_TERMS];
};

/* The bytes of the first item of a list: up to a comma that is not between slashes, or the end. */
size_t event_words__item_length(const char *list);

/*
 * Takes an item apart, which may hold anything; length is its bytes. 0 or negative errno: -EINVAL
 * with a sentence for the user (EXIT_USAGE), -ENOMEM. Nothing is to be freed after an error.
 */
int event_words__parse(struct event_words *words, const char *item, size_t length,
		       struct error *err);

/* Zeroed is fine. */
void event_words__free(struct event_words *words);

/*
 * What an event is called in files and reports: what one says after -e for it, less what makes it no other
 * event, which are its period, its rate and the unit of its weight. So two events of one name can be
 * compared, and those of different names cannot: "page-faults:u", "block:block_rq_issue/weight=bytes,dev==7/".
 */
/*
 * Conditions are in order and their numbers decimal, however they were said. name: in the place of that of
 * the words. To be freed; NULL: out of memory.
 */
char *event_name__make(const struct event_words *words, const char *name);

/* The same without the weight: it is the name of how often that happened, whatever it weighed. */
char *event_name__make_count(const struct event_words *words, const char *name);

#endif
