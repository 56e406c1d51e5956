/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event of -e, parsed:
 *
 *	NAME[:MODS]               page-faults:u
 *	NAME/TERM,…/[MODS]        cycles/period=1000003/u, cpu_core/event=0x3c,umask=1/
 *	SYS:NAME[/TERM,…/]        block:block_rq_issue/weight=bytes,unit=bytes/,
 *	                          syscalls:sys_exit_read/ret<0/
 *	rHEX                      r01c2
 *	uprobe:FILE:SYMBOL[/TERM,…/]
 *
 * The prefixes uretprobe, usdt and kprobe are like uprobe: the name ends before the terms. MODS are
 * letters u and k. A TERM is KEY, KEY=VALUE, or KEY OP NUMBER with OP one of == != < <= > >= &.
 * Parsing only splits the words. The sources decide whether the event exists, and which terms it
 * takes.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_EVENT_WORDS_H
#define TOPSTACKS_CAPTURE_EVENTS_EVENT_WORDS_H

#include "base/common.h"

#define EVENT_MAX_BYTES 4096 /* of one event */
#define EVENT_MAX_TERMS 16

enum event_op {
	EVENT_OP_NONE, /* the key without an operator */
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
	const char *text; /* value as written, not empty; NULL: none */
	/* text is a number: "0x3c", "12", "-1"; always true after a comparison operator */
	bool is_number;
	bool is_negative;
	uint64_t number; /* two's complement if negative */
};

/* A parsed event. It owns its strings. */
struct event_words {
	char *said;	  /* the event as written */
	const char *name; /* "page-faults", "cpu_core", "sched:sched_switch", "r01c2"; not empty */
	bool in_user;	  /* counts user mode: true unless only :k is given */
	bool in_kernel;	  /* counts kernel mode: true unless only :u is given */
	uint64_t freq_hz; /* 0: not given; never together with a period */
	uint64_t period;  /* 0: not given; at most INT64_MAX */
	const char *weight; /* name of a field; NULL: not given */
	const char *unit;   /* "bytes", "nanoseconds" (for ns), another noun; NULL: not given */
	size_t nr_terms;    /* terms other than freq, period, weight and unit */
	struct event_term terms[EVENT_MAX_TERMS];
};

/*
 * Returns the length in bytes of the first event of a list: up to a comma outside slashes, or the
 * end.
 */
size_t event_words__item_length(const char *list);

/*
 * Parses an event of length bytes, which may hold anything. Returns 0, or -EINVAL with a sentence
 * for the user (EXIT_USAGE). After an error nothing is to be freed.
 */
int event_words__parse(struct event_words *words, const char *item, size_t length,
		       struct error *err);

/* Returns true if the event is a name alone, without terms and modes. */
bool event_words__are_bare(const struct event_words *words);

/* Zeroed is fine. */
void event_words__free(struct event_words *words);

/*
 * Names of events in files and reports: what -e takes, without period, rate and the weight's unit,
 * which do not make another event. So events of one name can be compared, and events of different
 * names cannot: "page-faults:u", "block:block_rq_issue/weight=bytes,dev==7/".
 */
/*
 * Returns the event's name. Conditions are sorted and their numbers decimal, however they were
 * written. name replaces that of the words. To be freed.
 */
char *event_name__make(const struct event_words *words, const char *name);

/* Returns the name of the event's count, which is the same without the weight. */
char *event_name__make_count(const struct event_words *words, const char *name);

#endif
